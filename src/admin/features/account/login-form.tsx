import { Anchor, Button, Divider, PasswordInput, Stack, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import type { FormEvent } from "react";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { codeOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import TbKey from "~icons/tabler/key";
import { askPasskey, canUsePasskeys } from "../../lib/passkeys.ts";
import { FormError } from "../../ui/form-error.tsx";

interface LoginFormProps {
  /** Filled in for a login over a screen, which no link may leave. */
  email?: string;
  onLoggedIn: (user: CurrentUser) => unknown;
}

/** Login by e-mail and password, or by a passkey. */
export function LoginForm({ email, onLoggedIn }: LoginFormProps) {
  const utils = trpc.useUtils();
  const login = trpc.accounts.login.useMutation({
    onSuccess: (user) => onLoggedIn(user),
    onError: (error) => needsSecondFactor(error) && utils.accounts.pendingLogin.invalidate(),
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    login.mutate({ email: String(fields.get("email")), password: String(fields.get("password")) });
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <FormError error={needsSecondFactor(login.error) ? null : login.error} />
        <TextInput
          name="email"
          type="email"
          label="Email"
          autoComplete="username"
          required
          defaultValue={email ?? ""}
          autoFocus={!email}
        />
        <PasswordInput
          name="password"
          label="Password"
          autoComplete="current-password"
          required
          autoFocus={Boolean(email)}
          data-autofocus={email ? true : undefined}
        />
        <Button type="submit" loading={login.isPending} mt="xs">
          Log in
        </Button>
        <PasskeyLogin onLoggedIn={onLoggedIn} />
        <Anchor href="/forgotpassword" target={email && "_blank"} size="sm" underline="always">
          Forgot your password?
        </Anchor>
      </Stack>
    </form>
  );
}

/** The password was right, but a second factor must be entered or set up. */
export function needsSecondFactor(error: unknown): boolean {
  const code = codeOf(error);
  return code === "SECOND_FACTOR_REQUIRED" || code === "SECOND_FACTOR_SETUP_REQUIRED";
}

export function PasskeyLogin({ onLoggedIn }: Pick<LoginFormProps, "onLoggedIn">) {
  const { client } = trpc.useUtils();
  const login = useMutation({
    mutationFn: async () => client.accounts.loginWithPasskey.mutate({ passkey: await askPasskey(client) }),
    onSuccess: (user) => onLoggedIn(user),
  });
  if (!canUsePasskeys()) return null;
  return (
    <>
      <Divider label="or" />
      <FormError error={login.error} />
      <Button
        variant="default"
        leftSection={<TbKey size={18} />}
        loading={login.isPending}
        onClick={() => login.mutate()}
      >
        Log in with a passkey
      </Button>
    </>
  );
}
