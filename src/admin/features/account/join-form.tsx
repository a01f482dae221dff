import { Button, Stack, TextInput } from "@mantine/core";
import type { FormEvent } from "react";
import { issuesOf } from "#client/lib/errors.ts";
import { FormError } from "../../ui/form-error.tsx";
import { NewPasswordFields } from "../../ui/new-password-fields.tsx";
import { useAcceptInvitation } from "./use-accept-invitation.ts";

/** Opens an account for an invited person. @param email of the invitation, for password managers */
export function JoinForm({ token, email }: { token: string; email: string }) {
  const accept = useAcceptInvitation();
  const issues = issuesOf(accept.error);
  const issueOf = (field: string) => issues.find(({ path }) => path === `account.${field}`)?.message;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "");
    accept.mutate({
      token,
      account: {
        fullName: text("fullName"),
        phone: text("phone"),
        password: text("password"),
        confirmpassword: text("confirmpassword"),
      },
    });
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        {issues.length === 0 && <FormError error={accept.error} />}
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <TextInput
          name="fullName"
          label="Full name"
          autoComplete="name"
          error={issueOf("fullName")}
          required
          autoFocus
        />
        <TextInput
          name="phone"
          type="tel"
          inputMode="numeric"
          label="Mobile number"
          description="Ten digits; may be left out"
          autoComplete="tel-national"
          error={issueOf("phone")}
        />
        <NewPasswordFields owner={{ email }} issueOf={issueOf} />
        <Button type="submit" loading={accept.isPending} mt="xs">
          Join the staff
        </Button>
      </Stack>
    </form>
  );
}
