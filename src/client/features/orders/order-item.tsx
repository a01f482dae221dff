import { formatPaise } from "#shared/money.ts";
import { filesText, jobText, momentText, type OwnOrder, stateText } from "./own-order.ts";
import classes from "./own-orders.module.css";

/** One order: what it was, how far it is, and what became of its files. */
export function OrderItem({ order }: { order: OwnOrder }) {
  return (
    <li className={classes.order}>
      <h2 className={classes.number}>{order.number}</h2>
      <p className={classes.state} data-state={order.state}>
        {stateText(order)}
      </p>
      <p className={classes.facts}>
        {order.shopName}, {momentText(order.createdAt)}
      </p>
      <p className={classes.facts}>
        {jobText(order)}, {formatPaise(order.totalPaise)}
      </p>
      {order.cancelReason && <p className={classes.reason}>{order.cancelReason}</p>}
      <p className={classes.files}>{filesText(order)}</p>
    </li>
  );
}
