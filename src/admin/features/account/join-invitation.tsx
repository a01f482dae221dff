import { Anchor, Button, Stack, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import type { StaffRole } from "#shared/schemas/accounts.ts";
import { issueOf, messageOf, needsSecondFactor } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { useSetUser } from "../../lib/session.ts";
import { FormError } from "../../ui/form-error.tsx";
import { Loader } from "../../ui/screen.tsx";
import { NewPasswordFields } from "./new-password-fields.tsx";

const LIST = new Intl.ListFormat("en-IN", { type: "conjunction" });

const WORK: Record<StaffRole, (shops: string) => string> = {
  counter: (shops) => `to work at the counter of ${shops}`,
  owner: (shops) => `to run ${shops}`,
  admin: () => "to run the whole store, as an admin",
};

/** An invitation, accepted with a new account or with the existing one. */
export function JoinInvitation({ token }: { token: string }) {
  const { data, error } = trpc.staff.invitation.useQuery({ token }, { retry: false, staleTime: Infinity });
  if (error) return <DeadInvitation message={messageOf(error)} />;
  if (!data) return <Loader />;
  const { email, role, shops, fullName, asksNewPassword } = data;
  return (
    <>
      <Text mb="md">
        {email} is invited {WORK[role](LIST.format(shops))}.
      </Text>
      {fullName === null ? (
        <JoinForm token={token} email={email} />
      ) : (
        <JoinWithAccount token={token} email={email} fullName={fullName} asksNewPassword={asksNewPassword} />
      )}
    </>
  );
}

function DeadInvitation({ message }: { message: string }) {
  return (
    <>
      <Text mb="md">{message}</Text>
      <Anchor href="/admin/login" underline="always">
        To the staff login
      </Anchor>
    </>
  );
}

interface JoinWithAccountProps {
  token: string;
  email: string;
  fullName: string;
  asksNewPassword: boolean;
}

/** For an invited person with an account, which keeps its orders and may need a stronger password. */
function JoinWithAccount({ token, email, fullName, asksNewPassword }: JoinWithAccountProps) {
  const accept = useAcceptInvitation();
  const issueAt = (field: string) => issueOf(accept.error, `newPassword.${field}`);

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
        <FormError error={accept.error} exceptFields />
        <Text>
          You already have an account as {fullName}.{" "}
          {asksNewPassword
            ? "It stays yours. Please choose a new password that meets the rules for staff."
            : "Your password stays the same."}
        </Text>
        {asksNewPassword && (
          <>
            <input type="hidden" name="username" autoComplete="username" value={email} />
            <NewPasswordFields owner={{ fullName, email }} issueAt={issueAt} />
          </>
        )}
        <Button type="submit" loading={accept.isPending} mt="xs">
          Join with this account
        </Button>
      </Stack>
    </form>
  );
}

/** Creates an account for an invited person. @param email the invitation's, for password managers */
function JoinForm({ token, email }: { token: string; email: string }) {
  const accept = useAcceptInvitation();
  const issueAt = (field: string) => issueOf(accept.error, `account.${field}`);

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
        <FormError error={accept.error} exceptFields />
        <input type="hidden" name="username" autoComplete="username" value={email} />
        <TextInput
          name="fullName"
          label="Full name"
          autoComplete="name"
          error={issueAt("fullName")}
          required
          autoFocus
        />
        <TextInput
          name="phone"
          inputMode="numeric"
          label="Mobile number"
          description="Optional, ten digits"
          autoComplete="tel-national"
          error={issueAt("phone")}
        />
        <NewPasswordFields owner={{ email }} issueAt={issueAt} />
        <Button type="submit" loading={accept.isPending} mt="xs">
          Join the staff
        </Button>
      </Stack>
    </form>
  );
}

/** Accepts the invitation, then opens the console. */
function useAcceptInvitation() {
  const setUser = useSetUser();
  const navigate = useNavigate();
  const utils = trpc.useUtils();
  return trpc.staff.accept.useMutation({
    onError: async (error) => {
      if (needsSecondFactor(error)) await navigate({ to: "/login", replace: true });
    },
    onSuccess: async (user) => {
      utils.accounts.me.setData(undefined, user);
      await navigate({ to: "/", replace: true });
      await setUser(user);
    },
  });
}
