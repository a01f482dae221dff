import { Button, TextInput, type TextInputProps } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { asciiDigits } from "#shared/digits.ts";
import type { Popup } from "#shared/messages.ts";
import { ignoreKeys } from "#ui/double-press.ts";
import { attempt } from "#ui/personal-data.ts";
import { popups } from "../../ui/popup/popup-store.ts";
import { FIELD } from "./account-form.tsx";
import classes from "./one-time-code.module.css";

interface CodeFieldProps extends TextInputProps {
  /** Whether the form is sent at the sixth digit. */
  isLast?: boolean;
}

/** How long the sixth digit stays in sight; whoever presses the button in that time is not sent away from it first. */
const SEND_AFTER_MS = 400;

/** A one-time code, which phones suggest from the message. The sixth digit submits the form. Of a pasted text only the code stays. */
export function CodeField({ isLast = true, value, onChange, ...props }: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const complete = isLast && isWholeCode(String(value)) ? value : null;
  useEffect(() => {
    const form = input.current?.form;
    if (complete === null || !form) return;
    const timer = setTimeout(() => form.requestSubmit(), SEND_AFTER_MS);
    const sent = () => {
      clearTimeout(timer);
      ignoreKeys();
    };
    form.addEventListener("submit", sent);
    return () => {
      clearTimeout(timer);
      form.removeEventListener("submit", sent);
    };
  }, [complete]);
  return (
    <TextInput
      {...FIELD}
      ref={input}
      value={value}
      onChange={(event) => {
        event.currentTarget.value = readCode(event.currentTarget.value);
        onChange?.(event);
      }}
      enterKeyHint="go"
      label="OTP code"
      name="verifyCode"
      inputMode="numeric"
      autoComplete="one-time-code"
      classNames={{ input: classes.code }}
      {...props}
      onFocus={(event) => event.currentTarget.select()}
    />
  );
}

/** Closes the popup that asks for the code: it would lie over the next page. */
export function closeAsking({ title }: Popup): void {
  for (const popup of popups.getState()) if (popup.title === title) popup.close();
}

/** Digits of a one-time code. */
const CODE = /^\d{6}$/;
/** A code within a copied message, perhaps in two halves: "Your code is 123 456". */
const CODE_IN_TEXT = /(?<!\d)\d{3}[\s-]?\d{3}(?!\d)/g;

function isWholeCode(text: string): boolean {
  return CODE.test(text);
}

/** The code in a pasted text; any other text as it is, because the specification has no format check. */
export function readCode(typed: string): string {
  const text = asciiDigits(typed);
  const [code, second] = text.match(CODE_IN_TEXT) ?? [];
  return code && !second ? code.replace(/\D/g, "") : text;
}

/** Seconds until another code can be requested, to give the mail time to arrive. */
const RESEND_SECONDS = 30;

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
 * Whole seconds until another code can be requested, which a reload continues. It reads the clock, because timers are throttled in
 * background tabs.
 * @param to where the code was sent just now; without it there is nothing to wait for yet
 */
export function useResendWait(to: string | null) {
  /** Session storage key of the time at which the wait ends, in ms. */
  const key = `resendAt:${to}`;
  const [endsAt, setEndsAt] = useState(
    () => Number(attempt(() => window.sessionStorage.getItem(key))) || (to ? resendAt() : 0),
  );
  const [now, setNow] = useState(Date.now);

  useEffect(() => {
    attempt(() => window.sessionStorage.setItem(key, String(endsAt)));
    return () => void attempt(() => window.sessionStorage.removeItem(key));
  }, [key, endsAt]);

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
      setEndsAt(resendAt());
    },
  };
}

function resendAt(): number {
  return Date.now() + RESEND_SECONDS * 1000;
}
