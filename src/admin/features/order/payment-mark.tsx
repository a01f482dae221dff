import { formatPaise } from "#shared/money.ts";
import { duePaise, PAYMENT_NAMES, paymentStatus } from "#shared/payment.ts";
import type { MovableOrder } from "./order-types.ts";
import classes from "./payment-mark.module.css";

const WAYS = { delivery: "Delivery", pickup: "Pickup", counter: "At the counter" };

/** How an order reaches the student, its amount and whether that is paid, such as `Pickup · Unpaid, ₹145.00`. */
export function PaymentMark({ order }: { order: MovableOrder }) {
  const due = duePaise(order);
  const isOwed = due > 0;
  const payment = isOwed ? "Unpaid" : PAYMENT_NAMES[paymentStatus(order)];
  return (
    <span className={classes.mark}>
      <span>{WAYS[order.fulfilment]} · </span>
      <span data-owed={isOwed || undefined}>
        {payment}, {formatPaise(due || order.totalPaise)}
        {isOwed && due < order.totalPaise && ` of ${formatPaise(order.totalPaise)}`}
      </span>
    </span>
  );
}
