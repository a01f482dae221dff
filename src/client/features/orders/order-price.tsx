import { Card } from "../print/card.tsx";
import { PriceLines } from "../print/price-lines.tsx";
import type { OrderDetail } from "./own-order.ts";

/** The price as it was agreed when the order was placed. */
export function OrderPrice({ order: { quote, copies, fulfilment } }: { order: OrderDetail }) {
  return (
    <Card title="Price">
      <PriceLines quote={quote} copies={copies} fulfilment={fulfilment} />
    </Card>
  );
}
