import { type ComponentProps, type ComponentType, useEffect, useState } from "react";
import type { QrCode } from "#ui/qr-code.tsx";
import { importOnline, onReconnected } from "../../lib/connection.ts";
import classes from "./order-payment.module.css";

type QrCodeProps = ComponentProps<typeof QrCode>;

const importQrCode = importOnline(() => import("#ui/qr-code.tsx"));

/** The code to scan, drawn after the rest of the page can be used: what draws it is 5 kB of script. */
export function PaymentCode(props: QrCodeProps) {
  const [Code, setCode] = useState<ComponentType<QrCodeProps>>();
  useEffect(() => {
    const load = () =>
      importQrCode().then(
        (module) => setCode(() => module.QrCode),
        // Without a connection: the link to pay and the UPI id are beside it, and the next connection tries again.
        () => {},
      );
    void load();
    return onReconnected(() => void load());
  }, []);
  return <div className={classes.qrCode}>{Code && <Code {...props} />}</div>;
}
