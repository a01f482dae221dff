import { indianTime } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { type PaymentStatus, paymentStatus } from "#shared/payment.ts";
import { Card } from "../print/card.tsx";
import classes from "./order-payment.module.css";
import type { OrderDetail } from "./own-order.ts";
import { UpiPayment } from "./upi-payment.tsx";

/** How the order is paid, or that the shop says it is. Nothing where nobody asks for money. */
export function OrderPayment({ order }: { order: OrderDetail }) {
  const status = paymentStatus({ ...order, takesUpi: order.upiId !== "" });
  if (status === "void") return null;
  return (
    <Card title="Payment" aside={formatPaise(order.totalPaise)}>
      {status === "upi" ? (
        <UpiPayment order={order} />
      ) : (
        <p className={classes.text}>{paymentText(order, status)}</p>
      )}
    </Card>
  );
}

function paymentText(
  { paidAt, state, shop }: OrderDetail,
  status: Exclude<PaymentStatus, "upi" | "void">,
): string {
  switch (status) {
    case "paid": {
      const said = `Marked as paid by the shop on ${indianTime(paidAt ?? "")}.`;
      return state === "cancelled" ? `${said} Ask the shop how it gives the money back.` : said;
    }
    case "on delivery":
      return `You pay ${shop.name} on delivery.`;
    case "on pickup":
      return `You pay ${shop.name} when you fetch your prints.`;
  }
}
