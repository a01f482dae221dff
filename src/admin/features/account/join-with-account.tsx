import { Button, Stack, Text } from "@mantine/core";
import type { FormEvent } from "react";
import { issuesOf } from "#client/lib/errors.ts";
import { FormError } from "../../ui/form-error.tsx";
import { NewPasswordFields } from "../../ui/new-password-fields.tsx";
import { useAcceptInvitation } from "./use-accept-invitation.ts";

interface JoinWithAccountProps {
  token: string;
  email: string;
  fullName: string;
  asksNewPassword: boolean;
}

/** For an invited person who has an account already: it goes on with its orders, and a password that is fit for staff. */
export function JoinWithAccount({ token, email, fullName, asksNewPassword }: JoinWithAccountProps) {
  const accept = useAcceptInvitation();
  const issues = issuesOf(accept.error);
  const issueOf = (field: string) => issues.find(({ path }) => path === `newPassword.${field}`)?.message;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "");
    const newPassword = { password: text("password"), confirmpassword: text("confirmpassword") };
    accept.mutate({ token, newPassword: asksNewPassword ? newPassword : undefined });
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {issues.length === 0 && <FormError error={accept.error} />}
        <Text>
          You have an account already, as {fullName}.{" "}
          {asksNewPassword
            ? "It goes on, with a new password for your work on the staff."
            : "Its password stays as it is."}
        </Text>
        {asksNewPassword && (
          <>
            <input type="hidden" name="username" autoComplete="username" value={email} />
            <NewPasswordFields owner={{ fullName, email }} issueOf={issueOf} />
          </>
        )}
        <Button type="submit" loading={accept.isPending} mt="xs">
          Join with this account
        </Button>
      </Stack>
    </form>
  );
}
