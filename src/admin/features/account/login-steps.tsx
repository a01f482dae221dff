import { Anchor, Button, Divider, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { needsSecondFactor } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import TbKey from "~icons/tabler/key";
import { askPasskey, canUsePasskeys } from "../../lib/passkeys.ts";
import { FormError } from "../../ui/form-error.tsx";
import { type AddedFactor, AddFactors, RecoveryCodes } from "./second-factors.tsx";

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

interface PasskeyLoginProps extends Pick<LoginFormProps, "onLoggedIn"> {
  isSecondStep?: boolean;
}

function PasskeyLogin({ isSecondStep = false, onLoggedIn }: PasskeyLoginProps) {
  const { client } = trpc.useUtils();
  const login = useMutation({
    mutationFn: async () => {
      const passkey = await askPasskey(client);
      return client.accounts.loginWithPasskey.mutate({ passkey, isSecondStep });
    },
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

interface SecondFactorStepProps {
  email: string;
  step: "verify" | "setup";
  hasTotp: boolean;
  hasPasskey: boolean;
  onLoggedIn: (user: CurrentUser | null) => unknown;
}

/** What this browser's login needs next. Its end, once a second factor is set up, must not take the recovery codes away. */
export function usePendingLogin(enabled: boolean) {
  return trpc.accounts.pendingLogin.useQuery(undefined, {
    staleTime: 0,
    enabled,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  });
}

/** The login's second step: enter or set up a second factor. */
export function SecondFactorStep({ email, step, hasTotp, hasPasskey, onLoggedIn }: SecondFactorStepProps) {
  const utils = trpc.useUtils();
  const cancel = trpc.accounts.cancelLogin.useMutation({
    onSuccess: () => utils.accounts.pendingLogin.invalidate(),
  });
  const [added, setAdded] = useState<AddedFactor | null>(null);
  if (added?.recoveryCodes)
    return <RecoveryCodes codes={added.recoveryCodes} onDone={() => void onLoggedIn(added.user)} />;
  return (
    <Stack gap="sm">
      {step === "verify" ? (
        <>
          <CodeForm hasTotp={hasTotp} onLoggedIn={onLoggedIn} />
          {hasPasskey && <PasskeyLogin isSecondStep onLoggedIn={onLoggedIn} />}
        </>
      ) : (
        <>
          <Text>
            Your role requires a second factor in addition to the password. Set one up now. It takes a minute,
            and you need it at every login.
          </Text>
          <AddFactors
            onAdded={(added) => (added.recoveryCodes ? setAdded(added) : void onLoggedIn(added.user))}
          />
        </>
      )}
      <Button variant="subtle" size="compact-sm" onClick={() => cancel.mutate()}>
        Not {email}? Start again
      </Button>
    </Stack>
  );
}

function CodeForm({ hasTotp, onLoggedIn }: Pick<SecondFactorStepProps, "hasTotp" | "onLoggedIn">) {
  const finish = trpc.accounts.finishLogin.useMutation({ onSuccess: (user) => onLoggedIn(user) });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    finish.mutate({ code: String(new FormData(event.currentTarget).get("code")) });
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <FormError error={finish.error} />
        <TextInput
          name="code"
          label={hasTotp ? "Code from your authenticator app" : "Recovery code"}
          description={hasTotp ? "Six digits. Without your phone: one of your recovery codes" : undefined}
          autoComplete="one-time-code"
          required
          autoFocus
        />
        <Button type="submit" loading={finish.isPending}>
          Continue
        </Button>
      </Stack>
    </form>
  );
}
