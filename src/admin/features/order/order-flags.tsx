import classes from "./order-flags.module.css";
import type { ListedOrder } from "./order-types.ts";

/** Marks reprints and orders with a reported printing error. */
export function OrderFlags({ order: { isReprint, report } }: { order: ListedOrder }) {
  if (!isReprint && report !== "reported") return null;
  return (
    <span className={classes.flags}>
      {isReprint && <span className={classes.flag}>Reprint</span>}
      {report === "reported" && (
        <span className={classes.flag} data-urgent>
          Misprint
        </span>
      )}
    </span>
  );
}
