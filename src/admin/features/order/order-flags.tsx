import { useEffect } from "react";
import { forgetOpened } from "./ask-part.store.ts";
import classes from "./order-flags.module.css";
import type { ListedOrder } from "./order-types.ts";

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
