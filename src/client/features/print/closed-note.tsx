import type { Shop } from "#shared/schemas/shops.ts";
import classes from "./closed-note.module.css";

/** Says above the order that the shop takes none for now. What is put together meanwhile is kept. */
export function ClosedNote({ shop }: { shop: Shop }) {
  return (
    <div role="status" className={classes.note}>
      <strong>
        {shop.shopName} is closed now{shop.closedNote && `: ${shop.closedNote}`}
      </strong>
      <p>You can get your order ready. It is kept here, and can be placed once the shop is open again.</p>
    </div>
  );
}
