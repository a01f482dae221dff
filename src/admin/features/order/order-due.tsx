import { indianClock } from "#shared/indian-time.ts";
import { isUnprinted, type OrderState } from "#shared/order-states.ts";
import { useNow } from "../../lib/clock.ts";
import classes from "./order-due.module.css";

/** By when the shop promised an order that it still has to print; marked once that time is over. */
export function OrderDue({
  order: { promisedAt, state },
}: {
  order: { promisedAt: string | null; state: OrderState };
}) {
  const now = useNow();
  if (!promisedAt || !isUnprinted(state)) return null;
  const due = Date.parse(promisedAt);
  return (
    <time className={classes.due} dateTime={promisedAt} data-late={due < now || undefined}>
      {due < now ? "late:" : "due"} {indianClock(due, now)}
    </time>
  );
}
