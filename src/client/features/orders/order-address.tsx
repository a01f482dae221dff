import { ADDRESS_FIELDS } from "../checkout/address-fields.ts";
import { Facts } from "../checkout/facts.tsx";
import { Card } from "../print/card.tsx";
import type { OrderDetail } from "./own-order.ts";

/** Where it goes or is fetched; nothing where no address was given. */
export function OrderAddress({ order: { address, fulfilment, shop } }: { order: OrderDetail }) {
  if (fulfilment === "pickup") {
    return (
      <Card title="Pickup">
        <Facts facts={[{ label: "Place", value: `${shop.name}, ${shop.location}` }]} />
      </Card>
    );
  }
  if (!address) return null;
  return (
    <Card title="Delivery address">
      <Facts facts={ADDRESS_FIELDS.map(({ name, label }) => ({ label, value: address[name] }))} />
    </Card>
  );
}
