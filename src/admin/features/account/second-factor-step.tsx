import { Button, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { trpc } from "#ui/trpc.ts";
import { FormError } from "../../ui/form-error.tsx";
import { type AddedFactor, AddFactors } from "../security/add-factors.tsx";
import { RecoveryCodes } from "../security/recovery-codes.tsx";
import { PasskeyLogin } from "./login-form.tsx";

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
          {hasPasskey && <PasskeyLogin onLoggedIn={onLoggedIn} />}
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
          {" "}
          Continue{" "}
        </Button>
      </Stack>
    </form>
  );
}
