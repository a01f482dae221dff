import { OPTION_FIELDS } from "#shared/options.ts";
import { Facts } from "../checkout/facts.tsx";
import { Card } from "../print/card.tsx";
import type { OrderDetail } from "./own-order.ts";

/** How it is printed. */
export function OrderJob({ order: { pages, copies, quote, message } }: { order: OrderDetail }) {
  return (
    <Card title="Print job">
      <Facts
        facts={[
          { label: "Number of pages", value: pages.toLocaleString("en-IN") },
          { label: "Number of copies", value: copies.toLocaleString("en-IN") },
          ...quote.lines.map(({ kind, name }) => ({ label: OPTION_FIELDS[kind].label, value: name })),
          { label: "Sheets of paper", value: quote.sheets.toLocaleString("en-IN") },
          { label: "Message to the shop", value: message || "None" },
        ]}
      />
    </Card>
  );
}
