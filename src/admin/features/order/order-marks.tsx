import { useEffect } from "react";
import { HOUR_MS, MINUTE_MS } from "#shared/durations.ts";
import { indianClock, indianMoment } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { type Fulfilment, isUnprinted, type OrderState } from "#shared/order-states.ts";
import { duePaise, PAYMENT_NAMES, paymentStatus, statusPaise } from "#shared/payment.ts";
import { useNow } from "../../lib/clock.ts";
import { ageText, FULFILMENT_NAMES, stateName } from "./order-labels.ts";
import classes from "./order-marks.module.css";
import type { ListedOrder, MovableOrder } from "./order-types.ts";
import { forgetOpened } from "./print-questions.store.ts";

interface StateMarkProps {
  state: OrderState;
  /** Omit it for the state of orders of both kinds. */
  fulfilment?: Fulfilment;
}

/** A state's name and colour. */
export function StateMark({ state, fulfilment = "delivery" }: StateMarkProps) {
  return (
    <span className={classes.state}>
      <span className={classes.dot} data-state={state} aria-hidden="true" />
      <span data-state-name>{stateName({ state, fulfilment })}</span>
    </span>
  );
}

/** Orders are marked after these times: roughly when students begin to ask, and when they come to the shop. */
const DUE_MS = 15 * MINUTE_MS;
const LATE_MS = HOUR_MS;

/** Whether the shop has to print it now; an order on hold waits for its student. */
export function isToPrint({ state, heldAt }: Pick<ListedOrder, "state" | "heldAt">): boolean {
  return isUnprinted(state) && heldAt === null;
}

/** The age of an order, highlighted while it is to be printed. */
export function OrderAge({ order }: { order: Pick<ListedOrder, "createdAt" | "state" | "heldAt"> }) {
  const { createdAt } = order;
  const ms = Math.max(0, useNow() - Date.parse(createdAt));
  const age = !isToPrint(order) || ms < DUE_MS ? "fresh" : ms < LATE_MS ? "due" : "late";
  return (
    <time
      className={classes.age}
      data-age={age}
      dateTime={createdAt}
      title={`Placed ${indianMoment(createdAt)}`}
    >
      {ageText(ms)}
    </time>
  );
}

/** By when the shop promised an order that it has to print; marked once that time is over. */
export function OrderDue({ order }: { order: Pick<ListedOrder, "promisedAt" | "state" | "heldAt"> }) {
  const now = useNow();
  const { promisedAt } = order;
  if (!promisedAt || !isToPrint(order)) return null;
  const due = Date.parse(promisedAt);
  return (
    <time className={classes.due} dateTime={promisedAt} data-late={due < now || undefined}>
      {due < now ? "late:" : "due"} {indianClock(due, now)}
    </time>
  );
}

export function hasFlags({ isReprint, report, heldAt }: ListedOrder): boolean {
  return isReprint || report === "reported" || Boolean(heldAt);
}

/** Marks reprints, orders with a reported printing error, and those on hold. */
export function OrderFlags({ order }: { order: ListedOrder }) {
  const { id, isReprint, report, heldAt, holdReason, holdAnsweredAt } = order;
  useEffect(() => {
    if (heldAt) forgetOpened(id);
  }, [id, heldAt]);
  if (!hasFlags(order)) return null;
  return (
    <span className={classes.flags}>
      {heldAt && (
        <span className={classes.flag} data-urgent title={holdReason ?? undefined}>
          {holdAnsweredAt ? "On hold · answered" : "On hold"}
        </span>
      )}
      {isReprint && <span className={classes.flag}>Reprint</span>}
      {report === "reported" && (
        <span className={classes.flag} data-urgent>
          Misprint
        </span>
      )}
    </span>
  );
}

/** How an order reaches the student, its amount and whether that is paid, such as `Pickup · Unpaid, ₹145.00`. */
export function PaymentMark({ order }: { order: MovableOrder }) {
  const due = duePaise(order);
  const isOwed = due > 0;
  const amount = statusPaise(order);
  const payment = isOwed ? "Unpaid" : PAYMENT_NAMES[paymentStatus(order)];
  return (
    <span className={classes.payment}>
      <span className={classes.way}>{FULFILMENT_NAMES[order.fulfilment]}</span>{" "}
      <span className={classes.amount} data-owed={isOwed || undefined}>
        <span className={classes.between}>·</span> {payment}
        {amount > 0 && `, ${formatPaise(amount)}`}
        {isOwed && due < order.totalPaise && ` of ${formatPaise(order.totalPaise)}`}
      </span>
    </span>
  );
}
