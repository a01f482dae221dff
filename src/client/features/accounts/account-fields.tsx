import { PasswordInput, type PasswordInputProps, TextInput, type TextInputProps } from "@mantine/core";
import classes from "./account-fields.module.css";

/** All fields of these forms are required, so none has an asterisk. */
const common = { required: true, withAsterisk: false, size: "md" } as const;

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
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  );
}

export function NameField(props: TextInputProps) {
  return <TextInput {...common} label="Full name" name="fullName" autoComplete="name" {...props} />;
}

export function PhoneField(props: TextInputProps) {
  return (
    <TextInput
      {...common}
      label="Mobile number"
      name="phone"
      inputMode="numeric"
      autoComplete="tel-national"
      {...props}
    />
  );
}

/** A one-time code, which phones suggest from the message. */
export function CodeField(props: TextInputProps) {
  return (
    <TextInput
      {...common}
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
