import classes from "./order-flags.module.css";
import type { ListedOrder } from "./order-types.ts";

/** What sets an order apart in a list: that it prints another one again, or that something was printed wrongly. */
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
