import { Button } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { WaitOverlay } from "#client/ui/wait-overlay.tsx";
import classes from "./login-ways.module.css";

const OtpRequestDialog = lazy(() =>
  import("./otp-request-dialog.tsx").then((module) => ({ default: module.OtpRequestDialog })),
);

/** The ways to log in without a password. The dialog opens with the e-mail that was typed already. */
export function LoginWays({ email }: { email: string }) {
  const [dialog, setDialog] = useState<"not loaded" | "open" | "closed">("not loaded");
  return (
    <div className={classes.ways}>
      <p className={classes.or}>or</p>
      <Button variant="default" size="md" fullWidth onClick={() => setDialog("open")}>
        Login With OTP
      </Button>
      <Button variant="default" size="md" fullWidth disabled>
        Login with Google
      </Button>
      <Suspense fallback={<WaitOverlay active />}>
        {dialog !== "not loaded" && (
          <OtpRequestDialog email={email} opened={dialog === "open"} onClose={() => setDialog("closed")} />
        )}
      </Suspense>
    </div>
  );
}
