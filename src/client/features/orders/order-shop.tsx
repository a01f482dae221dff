import { Facts } from "../checkout/facts.tsx";
import { Card } from "../print/card.tsx";
import type { OrderDetail } from "./own-order.ts";

/** Who prints it, and how to reach them. */
export function OrderShop({ order: { shop } }: { order: OrderDetail }) {
  return (
    <Card title="Shop">
      <Facts
        facts={[
          { label: "Name", value: shop.name },
          { label: "Location", value: shop.location },
          ...(shop.contactNumber
            ? [
                {
                  label: "Phone",
                  value: <a href={`tel:${shop.contactNumber.replaceAll(" ", "")}`}>{shop.contactNumber}</a>,
                },
              ]
            : []),
          { label: "Email", value: <a href={`mailto:${shop.email}`}>{shop.email}</a> },
        ]}
      />
    </Card>
  );
}
