import { emailInput } from "#shared/schemas/accounts.ts";
import { AccountForm, EmailField, useAccountForm } from "./account-form.tsx";

interface EmailFormProps {
  /** Prefilled. */
  email: string;
  submitLabel: string;
  busy: boolean;
  onSubmit: (values: { email: string }) => void;
}

/** A dialog's form with one e-mail field. */
export function EmailForm({ email, submitLabel, busy, onSubmit }: EmailFormProps) {
  const form = useAccountForm({
    name: "email-only",
    schema: emailInput,
    initialValues: { email },
  });
  return (
    <AccountForm form={form} submitLabel={submitLabel} busy={busy} onSubmit={onSubmit}>
      <EmailField data-autofocus enterKeyHint="go" {...form.getInputProps("email")} />
    </AccountForm>
  );
}
