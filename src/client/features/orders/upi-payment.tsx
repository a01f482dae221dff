import { Button, CopyButton } from "@mantine/core";
import { type ComponentProps, type ComponentType, useEffect, useState } from "react";
import type { OwnOrderDetail } from "#server/orders/orders.service.ts";
import { formatPaise } from "#shared/money.ts";
import { duePaise, upiLink } from "#shared/payment.ts";
import type { QrCode } from "#ui/qr-code.tsx";
import { importOnline, onReconnected } from "../../lib/connection.ts";
import classes from "./upi-payment.module.css";

/** UPI payment: a link for this phone, a QR code for another one, and the UPI ID to copy. On a phone the link is first. */
export function UpiPayment({ order }: { order: OwnOrderDetail }) {
  const { number, upiId, shop } = order;
  const amountPaise = duePaise(order);
  const amount = formatPaise(amountPaise);
  const link = upiLink({ upiId, shopName: shop.name, amountPaise, orderNumber: number });
  return (
    <div className={classes.upi}>
      <div className={classes.actions}>
        <p>
          Pay with a UPI app on this phone, or scan the code with another one. The amount and the order number
          are filled in.
        </p>
        <Button component="a" href={link}>
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

type QrCodeProps = ComponentProps<typeof QrCode>;

const importQrCode = importOnline(() => import("#ui/qr-code.tsx"));

/** The code to scan, drawn after the rest of the page can be used: what draws it is 5 kB of script. */
function PaymentCode(props: QrCodeProps) {
  const [Code, setCode] = useState<ComponentType<QrCodeProps>>();
  useEffect(() => {
    const load = () =>
      importQrCode().then(
        (module) => setCode(() => module.QrCode),
        // Without a connection: the link to pay and the UPI ID are beside it, and the next connection tries again.
        () => {},
      );
    void load();
    return onReconnected(() => void load());
  }, []);
  return <div className={classes.qrCode}>{Code && <Code {...props} />}</div>;
}
