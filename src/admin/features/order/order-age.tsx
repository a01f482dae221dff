import { isUnprinted, type OrderState } from "#shared/order-states.ts";
import { useNow } from "../../lib/clock.ts";
import { momentText } from "../../lib/times.ts";
import classes from "./order-age.module.css";
import { ageText } from "./order-labels.ts";

const MINUTE = 60_000;
/** Orders are marked after these times: roughly when students begin to ask, and when they come to the shop. */
const DUE_MS = 15 * MINUTE;
const LATE_MS = 60 * MINUTE;

/** The age of an order, highlighted while it is not printed. */
export function OrderAge({ since, state }: { since: string; state: OrderState }) {
  const ms = Math.max(0, useNow() - Date.parse(since));
  const age = !isUnprinted(state) || ms < DUE_MS ? "fresh" : ms < LATE_MS ? "due" : "late";
  return (
    <time className={classes.waiting} data-age={age} dateTime={since} title={`Placed ${momentText(since)}`}>
      {ageText(ms)}
    </time>
  );
}
