import { Card } from "../print/card.tsx";
import type { OrderDetail } from "./own-order.ts";
import classes from "./pickup-code.module.css";

/** What the student says at the shop; nothing unless the order waits there. */
export function PickupCode({ order: { pickupCode, shop } }: { order: OrderDetail }) {
  if (!pickupCode) return null;
  return (
    <Card title="Your pickup code">
      <p className={classes.code}>{pickupCode}</p>
      <p className={classes.text}>
        Your prints wait at {shop.name}, {shop.location}. Say this code when you fetch them.
      </p>
    </Card>
  );
}
