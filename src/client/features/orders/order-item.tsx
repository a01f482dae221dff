import { Link } from "@tanstack/react-router";
import { indianTime } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { filesText, jobText, type OwnOrder, stateText } from "./own-order.ts";
import classes from "./own-orders.module.css";

/** One order: what it was, how far it is, and what became of its files. Its number leads to all about it. */
export function OrderItem({ order }: { order: OwnOrder }) {
  return (
    <li className={classes.order}>
      <h2 className={classes.number}>
        <Link to="/orders/$id" params={{ id: order.id }} className={classes.link}>
          {order.number}
        </Link>
      </h2>
      <p className={classes.state} data-state={order.state}>
        {stateText(order)}
      </p>
      <p className={classes.facts}>
        {order.shopName}, {indianTime(order.createdAt)}
      </p>
      <p className={classes.facts}>
        {jobText(order)}, {formatPaise(order.totalPaise)}
      </p>
      {order.cancelReason && <p className={classes.reason}>{order.cancelReason}</p>}
      <p className={classes.files}>{filesText(order)}</p>
    </li>
  );
}
