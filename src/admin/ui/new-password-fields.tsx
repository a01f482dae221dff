import { PasswordInput } from "@mantine/core";
import { type ChangeEvent, useState } from "react";
import { STAFF_PASSWORD_HINT, staffPasswordFault } from "#shared/schemas/staff-passwords.ts";

interface NewPasswordFieldsProps {
  /** Whose password it will be: it may not be made of their names. */
  owner: { fullName?: string; email?: string };
  /** What the server refused of a field. */
  issueOf: (field: string) => string | undefined;
}

/** A password of someone on the staff, twice. It says what is wrong with it as soon as the field is left. */
export function NewPasswordFields({ owner, issueOf }: NewPasswordFieldsProps) {
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
        error={fault ?? issueOf("password")}
        onBlur={look}
        onChange={(event) => fault && look(event)}
        required
      />
      <PasswordInput
        name="confirmpassword"
        label="Confirm password"
        autoComplete="new-password"
        error={issueOf("confirmpassword")}
        required
      />
    </>
  );
}
