import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from "@mantine/core";
import { useEffect, useRef } from "react";
import { ignoreKeys } from "#ui/double-press.ts";
import classes from "./account-fields.module.css";
import { isWholeCode, readCode } from "./one-time-code.ts";

/** All fields of these forms are required, so none has an asterisk. The last one of a form says `enterKeyHint="go"`. */
const common = { required: true, withAsterisk: false, size: "md", enterKeyHint: "next" } as const;

/** The account's e-mail, which password managers store as the user name. */
export function EmailField(props: TextInputProps) {
  return (
    <TextInput
      {...common}
      label="Email"
      name="email"
      type="email"
      inputMode="email"
      autoComplete="username"
      placeholder="e.g. asha@college.in"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}

export function NameField(props: TextInputProps) {
  return (
    <TextInput
      {...common}
      label="Full name"
      name="fullName"
      autoComplete="name"
      autoCapitalize="words"
      placeholder="e.g. Asha Verma"
      {...props}
    />
  );
}

export function PhoneField(props: TextInputProps) {
  return (
    <TextInput
      {...common}
      label="Mobile number"
      name="phone"
      inputMode="tel"
      autoComplete="tel-national"
      placeholder="e.g. 98765 43210"
      {...props}
    />
  );
}

interface CodeFieldProps extends TextInputProps {
  /** Whether the form is sent at the sixth digit. */
  isLast?: boolean;
}

/** A one-time code, which phones suggest from the message. The sixth digit sends the form; of a pasted text the code stays. */
export function CodeField({ isLast = true, value, onChange, ...props }: CodeFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const complete = isLast && isWholeCode(String(value)) ? value : null;
  useEffect(() => {
    if (complete === null) return;
    input.current?.form?.requestSubmit();
    ignoreKeys();
  }, [complete]);
  return (
    <TextInput
      {...common}
      ref={input}
      value={value}
      onChange={(event) => {
        event.currentTarget.value = readCode(event.currentTarget.value);
        onChange?.(event);
      }}
      onFocus={(event) => event.currentTarget.select()}
      enterKeyHint="go"
      label="Code"
      name="verifyCode"
      inputMode="numeric"
      autoComplete="one-time-code"
      classNames={{ input: classes.code }}
      {...props}
    />
  );
}

type PasswordFieldProps = PasswordInputProps & { autoComplete: "current-password" | "new-password" };

export function PasswordField(props: PasswordFieldProps) {
  return (
    <PasswordInput
      {...common}
      label="Password"
      name="password"
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ "aria-label": "Show password" }}
      aria-invalid={Boolean(props.error)}
      {...props}
    />
  );
}
