import { OPTION_FIELDS, OPTION_KINDS } from "#shared/options.ts";
import { FileLines } from "../files/file-lines.tsx";
import { filesText } from "../files/file-words.ts";
import type { PrintFile } from "../files/print-file.ts";
import { Card } from "../print/card.tsx";
import { type OrderDataRequest, orderedFiles } from "../print/order-data.ts";
import { Facts } from "./facts.tsx";
import classes from "./order-summary.module.css";

interface OrderSummaryProps {
  order: OrderDataRequest;
  /** The draft's: the order data knows only their URLs. */
  files: readonly PrintFile[];
  /** How it is paid; undefined while that is not known. */
  payment: string | undefined;
}

/** Everything that is about to be ordered. */
export function OrderSummary({ order, files, payment }: OrderSummaryProps) {
  return (
    <Card title="Order summary" aside={filesText(order.filesUrl.length)}>
      <div className={classes.files}>
        <FileLines files={orderedFiles(order, files)} />
      </div>
      <Facts
        facts={[
          { label: "Number of pages", value: String(order.noOfPages) },
          { label: "Number of copies", value: String(order.noOfCopies) },
          ...OPTION_KINDS.map((kind) => ({
            label: OPTION_FIELDS[kind].label,
            value: order[OPTION_FIELDS[kind].orderField],
          })),
          { label: "Message to the shop", value: order.message || "None" },
          ...(payment ? [{ label: "Payment", value: payment }] : []),
          { label: "Order mails go to", value: order.userEmail },
          { label: "Shop", value: `${order.shopName}, ${order.shopLocation}` },
          {
            label: "Shop contact",
            value: [order.shopContactNumber, order.shopEmail].filter(Boolean).join("\n"),
          },
        ]}
      />
    </Card>
  );
}
