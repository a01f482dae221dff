import { Button, CopyButton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ComponentProps } from "react";
import type { OwnOrderDetail } from "#server/orders/orders.service.ts";
import { indianTime } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { duePaise, type PaymentStatus, paymentStatus, refundDuePaise, upiLink } from "#shared/payment.ts";
import type { QrCode } from "#ui/qr-code.tsx";
import { importOnline } from "../../lib/connection.ts";
import { Card } from "../../ui/card.tsx";
import classes from "./order-payment.module.css";

/** How to pay, or when the shop marked the order as paid. Nothing if there is nothing to pay. */
export function OrderPayment({ order }: { order: OwnOrderDetail }) {
  const takesUpi = order.upiId !== "" && order.fulfilment !== "counter";
  const status = paymentStatus(order);
  if (status === "void") return null;
  return (
    <Card title="Payment" aside={formatPaise(order.totalPaise)}>
      {status !== "upi" && <p>{paymentText(order, status)}</p>}
      {(status === "upi" || (status === "partly paid" && takesUpi)) && <UpiPayment order={order} />}
    </Card>
  );
}

function paidText(paidAt: string | null): string {
  return `Marked as paid by the shop on ${indianTime(paidAt ?? "")}.`;
}

function paymentText(order: OwnOrderDetail, status: Exclude<PaymentStatus, "upi" | "void">): string {
  const { paidAt, paidPaise, refundedPaise, shop } = order;
  switch (status) {
    case "paid":
      return (
        paidText(paidAt) +
        (refundedPaise > 0 ? ` ${shop.name} refunded you ${formatPaise(refundedPaise)}.` : "")
      );
    case "partly paid": {
      const refunded = refundedPaise > 0 ? ` and refunded you ${formatPaise(refundedPaise)}` : "";
      const received = `${shop.name} has received ${formatPaise(paidPaise + refundedPaise)}${refunded}`;
      return `${received}. ${formatPaise(duePaise(order))} is left to pay.`;
    }
    case "refund due": {
      const paid = paidAt ? paidText(paidAt) : `${shop.name} has received ${formatPaise(paidPaise)}.`;
      return `${paid} Ask the shop for your refund of ${formatPaise(refundDuePaise(order))}.`;
    }
    case "refunded":
      return `${shop.name} refunded you ${formatPaise(refundedPaise)}.`;
    case "on delivery":
      return `You pay ${shop.name} on delivery.`;
    case "on pickup":
    case "at the counter":
      return `You pay ${shop.name} when you pick up your prints.`;
    case "unmarked":
      return `${shop.name} has not marked this order as paid. If you have paid, there is nothing to do.`;
  }
}

/** UPI payment: a link on a phone, where the UPI apps are, a QR code to scan with one, and the UPI ID to copy. */
function UpiPayment({ order }: { order: OwnOrderDetail }) {
  const { number, upiId, shop } = order;
  const amountPaise = duePaise(order);
  const amount = formatPaise(amountPaise);
  const link = upiLink({ upiId, shopName: shop.name, amountPaise, orderNumber: number });
  return (
    <div className={classes.upi}>
      <div className={classes.actions}>
        <p>
          <span className={classes.onPhone}>
            Pay with a UPI app on this phone, or scan the code with another one.
          </span>
          <span className={classes.onComputer}>Scan the code with a UPI app on your phone.</span> The amount
          and the order number are filled in.
        </p>
        <Button component="a" href={link} className={classes.onPhone}>
          Pay {amount} by UPI
        </Button>
        <p className={classes.id}>
          <span>
            UPI ID <strong>{upiId}</strong>
          </span>
          <CopyButton value={upiId}>
            {({ copied, copy }) => (
              <Button size="compact-sm" variant="default" onClick={copy} aria-live="polite">
                {copied ? "Copied" : "Copy"}
              </Button>
            )}
          </CopyButton>
        </p>
        <p className={classes.note}>
          We cannot see UPI payments. The shop checks for yours and marks the order as paid.
        </p>
      </div>
      <PaymentCode text={link} label={`QR code to pay ${amount} to ${shop.name} by UPI`} />
    </div>
  );
}

const importQrCode = importOnline(() => import("#ui/qr-code.tsx"));

/** The code to scan, drawn after the rest of the page can be used: what draws it is 5 kB of script. */
function PaymentCode(props: ComponentProps<typeof QrCode>) {
  // Without a connection the link to pay and the UPI ID are beside it, and the next connection tries again.
  const { data: Code } = useQuery({
    queryKey: ["qr-code"],
    queryFn: async () => (await importQrCode()).QrCode,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  return <div className={classes.qrCode}>{Code && <Code {...props} />}</div>;
}
