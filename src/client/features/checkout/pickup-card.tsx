import type { Shop } from "#shared/schemas/shops.ts";
import { Card } from "../print/card.tsx";
import { Facts } from "./facts.tsx";
import classes from "./pickup-card.module.css";

/** Where the order is fetched, and what is needed there. */
export function PickupCard({ shop }: { shop: Shop }) {
  return (
    <Card title="Pickup">
      <Facts
        facts={[
          { label: "Shop", value: shop.shopName },
          { label: "Place", value: shop.shopLocation },
          ...(shop.contactNumber ? [{ label: "Phone", value: shop.contactNumber }] : []),
        ]}
      />
      <p className={classes.note}>
        When it is ready you get a code of four digits, by mail and on the order’s page. Say it at the shop.
      </p>
    </Card>
  );
}
