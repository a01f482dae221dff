import "../../ui/form-styles.ts";
import {
  Button,
  PasswordInput,
  type PasswordInputProps,
  TextInput,
  type TextInputProps,
} from "@mantine/core";
import { schemaResolver, useForm } from "@mantine/form";
import { useHydrated } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { z } from "zod";
import { useEarlyInput } from "../../lib/before-hydration.ts";
import { enterLeadsToNextField } from "../../lib/next-field.ts";
import { preloadPopups } from "../../ui/popup/popup-host.tsx";
import { WaitOverlay } from "../../ui/wait-overlay.tsx";
import classes from "./account-form.module.css";

interface AccountFormProps<Values extends Record<string, unknown>> {
  form: AccountFormState<Values>;
  submitLabel: string;
  /** A request is running; the form ignores further submits. */
  busy: boolean;
  /** For actions that cannot be undone. */
  danger?: boolean;
  onSubmit: (values: Values) => void;
  children: ReactNode;
}

/**
 * A form that is validated before it is sent; focus moves to the first invalid field. The button is disabled until
 * hydration, because the form is submitted by script only.
 */
export function AccountForm<Values extends Record<string, unknown>>(props: AccountFormProps<Values>) {
  const { form, submitLabel, busy, danger = false, onSubmit, children } = props;
  const hydrated = useHydrated();
  const element = useEarlyInput(form);
  const submit = form.onSubmit(
    (values) => {
      if (!busy) onSubmit(values);
    },
    (errors, values) => {
      const firstWrong = Object.keys(values).find((path) => errors[path]);
      if (firstWrong) form.getInputNode(firstWrong)?.focus();
    },
  );
  return (
    <form
      ref={element}
      method="post"
      noValidate
      onSubmit={submit}
      onFocus={preloadPopups}
      onKeyDown={enterLeadsToNextField}
    >
      <div className={classes.fields}>
        {children}
        <Button
          type="submit"
          size="md"
          fullWidth
          disabled={!hydrated}
          className={classes.submit}
          data-danger={danger || undefined}
        >
          {submitLabel}
        </Button>
      </div>
      <WaitOverlay active={busy} />
    </form>
  );
}

interface AccountFormOptions<Values> {
  /** Distinguishes the fields of two forms on one page. */
  name: string;
  schema: z.ZodType<Values>;
  /** In the order of the fields. */
  initialValues: Values;
}

/** The state of a form, validated by the same schema as on the server. */
export function useAccountForm<Values extends Record<string, unknown>>(options: AccountFormOptions<Values>) {
  const { name, schema, initialValues } = options;
  return useForm<Values>({ name, initialValues, validate: schemaResolver(schema, { sync: true }) });
}

type AccountFormState<Values extends Record<string, unknown>> = ReturnType<typeof useAccountForm<Values>>;

/** All fields of these forms are required, so none has an asterisk. The last one of a form says `enterKeyHint="go"`. */
export const FIELD = { required: true, withAsterisk: false, size: "md", enterKeyHint: "next" } as const;

/** The account's e-mail, which password managers store as the user name. */
export function EmailField(props: TextInputProps) {
  return (
    <TextInput
      {...FIELD}
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
      {...FIELD}
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
      {...FIELD}
      label="Mobile number"
      name="phone"
      inputMode="tel"
      autoComplete="tel-national"
      placeholder="e.g. 98765 43210"
      {...props}
    />
  );
}

type PasswordFieldProps = PasswordInputProps & { autoComplete: "current-password" | "new-password" };

export function PasswordField({ label = "Password", ...props }: PasswordFieldProps) {
  return (
    <PasswordInput
      {...FIELD}
      label={label}
      name="password"
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ "aria-label": "Show what is typed" }}
      aria-invalid={Boolean(props.error)}
      {...props}
    />
  );
}

/** The new password once more, as the last field of a form. */
export function ConfirmPasswordField(props: Omit<PasswordInputProps, "autoComplete">) {
  return (
    <PasswordField
      label="Confirm password"
      name="confirmpassword"
      autoComplete="new-password"
      enterKeyHint="go"
      {...props}
    />
  );
}

/** Tells password managers whose password a form asks for. */
export function HiddenUserName({ email }: { email: string }) {
  return <input type="text" autoComplete="username" value={email} readOnly hidden />;
}
