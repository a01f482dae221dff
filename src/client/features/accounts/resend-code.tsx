import { Button } from "@mantine/core";
import classes from "./resend-code.module.css";

/** Seconds until another code can be requested, to give the mail time to arrive. */
export const RESEND_SECONDS = 30;

interface ResendCodeProps {
  secondsLeft: number;
  /** A new code is on its way. */
  sent: boolean;
  onClick: () => void;
}

/** The button stays focusable during the countdown, so that the focus is not lost. */
export function ResendCode({ secondsLeft, sent, onClick }: ResendCodeProps) {
  const waits = secondsLeft > 0;
  return (
    <div className={classes.resend}>
      <Button
        variant="default"
        fullWidth
        size="md"
        data-disabled={waits || undefined}
        aria-disabled={waits}
        onClick={() => !waits && onClick()}
      >
        Send a new code{waits && ` in ${secondsLeft} s`}
      </Button>
      <p role="status" className={classes.status}>
        {sent && "A new code is on its way. The previous code no longer works."}
      </p>
    </div>
  );
}
