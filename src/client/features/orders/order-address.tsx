import { ADDRESS_FIELDS } from "../checkout/address-fields.ts";
import { Facts } from "../checkout/facts.tsx";
import { Card } from "../print/card.tsx";
import type { OrderDetail } from "./own-order.ts";

/** Where it goes; nothing where no address was given. */
export function OrderAddress({ order: { address } }: { order: OrderDetail }) {
  if (!address) return null;
  return (
    <Card title="Delivery address">
      <Facts facts={ADDRESS_FIELDS.map(({ name, label }) => ({ label, value: address[name] }))} />
    </Card>
  );
}
