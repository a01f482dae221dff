import { Button, CopyButton } from "@mantine/core";
import { formatPaise } from "#shared/money.ts";
import { upiLink } from "#shared/payment.ts";
import { QrCode } from "#ui/qr-code.tsx";
import classes from "./order-payment.module.css";
import type { OrderDetail } from "./own-order.ts";

/** UPI payment: a QR code for another phone, a link for this one, and the UPI id to copy. */
export function UpiPayment({ order: { number, totalPaise, upiId, shop } }: { order: OrderDetail }) {
  const amount = formatPaise(totalPaise);
  const link = upiLink({ upiId, shopName: shop.name, amountPaise: totalPaise, orderNumber: number });
  return (
    <div className={classes.upi}>
      <QrCode text={link} label={`QR code to pay ${amount} to ${shop.name} by UPI`} />
      <div className={classes.ways}>
        <p className={classes.text}>
          Scan the code with a UPI app, or open the link on your phone. The amount and the order number are
          filled in.
        </p>
        <Button component="a" href={link}>
          Pay {amount} by UPI
        </Button>
        <p className={classes.id}>
          <span>
            UPI id <strong>{upiId}</strong>
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
    </div>
  );
}
