import { Button } from "@mantine/core";
import { useEffect, useState } from "react";
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

/**
 * Whole seconds left of a countdown. It reads the clock, because timers are throttled in background tabs.
 * @param running whether it starts at once
 */
export function useCountdown(seconds: number, running: boolean) {
  const [endsAt, setEndsAt] = useState(() => (running ? Date.now() + seconds * 1000 : 0));
  const [now, setNow] = useState(Date.now);

  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() >= endsAt) clearInterval(timer);
    }, 250);
    return () => clearInterval(timer);
  }, [endsAt]);

  return {
    secondsLeft: Math.max(0, Math.ceil((endsAt - now) / 1000)),
    restart() {
      setNow(Date.now());
      setEndsAt(Date.now() + seconds * 1000);
    },
  };
}
