import { PasswordInput } from "@mantine/core";
import { type ChangeEvent, useState } from "react";
import { STAFF_PASSWORD_HINT, staffPasswordFault } from "#shared/schemas/staff-passwords.ts";

interface NewPasswordFieldsProps {
  /** The owner of the password, which must not contain their names. */
  owner: { fullName?: string; email?: string };
  /** The server's error for a field. */
  issueAt: (field: string) => string | undefined;
}

/** A new staff password, entered twice. It is validated when the field loses the focus. */
export function NewPasswordFields({ owner, issueAt }: NewPasswordFieldsProps) {
  const [fault, setFault] = useState<string | null>(null);
  const look = ({ currentTarget: { value } }: ChangeEvent<HTMLInputElement>) =>
    setFault(value ? staffPasswordFault(value, owner) : null);
  return (
    <>
      <PasswordInput
        name="password"
        label="New password"
        description={STAFF_PASSWORD_HINT}
        autoComplete="new-password"
        error={fault ?? issueAt("password")}
        onBlur={look}
        onChange={(event) => fault && look(event)}
        required
      />
      <PasswordInput
        name="confirmpassword"
        label="Confirm password"
        autoComplete="new-password"
        error={issueAt("confirmpassword")}
        required
      />
    </>
  );
}
