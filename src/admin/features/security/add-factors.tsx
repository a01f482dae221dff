import { Button, Code, Group, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { QrCode } from "#ui/qr-code.tsx";
import { trpc } from "#ui/trpc.ts";
import TbDeviceMobile from "~icons/tabler/device-mobile";
import TbKey from "~icons/tabler/key";
import { canUsePasskeys, createPasskey } from "../../lib/passkeys.ts";
import { FormError } from "../../ui/form-error.tsx";
import { RecoveryCodes } from "./recovery-codes.tsx";

interface Added {
  recoveryCodes: string[] | null;
  user: CurrentUser | null;
}

interface AddFactorsProps {
  /** A new authenticator app replaces the existing one. */
  hasTotp?: boolean;
  /** Called after the recovery codes, if any, were saved. */
  onFinished: (user: CurrentUser | null) => void;
}

/** Sets up an authenticator app or a passkey. */
export function AddFactors({ hasTotp = false, onFinished }: AddFactorsProps) {
  const [shown, setShown] = useState<"totp" | "passkey" | null>(null);
  const [added, setAdded] = useState<Added | null>(null);

  function take(result: Added) {
    if (result.recoveryCodes) setAdded(result);
    else onFinished(result.user);
  }

  if (added?.recoveryCodes) {
    return <RecoveryCodes codes={added.recoveryCodes} onDone={() => onFinished(added.user)} />;
  }
  if (shown === "totp") return <TotpForm onAdded={take} onCancel={() => setShown(null)} />;
  if (shown === "passkey") return <PasskeyForm onAdded={take} onCancel={() => setShown(null)} />;
  return (
    <Group gap="xs">
      <Button
        leftSection={<TbDeviceMobile size={18} />}
        variant={hasTotp ? "default" : "filled"}
        onClick={() => setShown("totp")}
      >
        {hasTotp ? "Replace the authenticator app" : "Use an authenticator app"}
      </Button>
      {canUsePasskeys() && (
        <Button variant="default" leftSection={<TbKey size={18} />} onClick={() => setShown("passkey")}>
          Add a passkey
        </Button>
      )}
    </Group>
  );
}

interface FormProps {
  onAdded: (added: Added) => void;
  onCancel: () => void;
}

function TotpForm({ onAdded, onCancel }: FormProps) {
  const { client } = trpc.useUtils();
  const start = useMutation({ mutationFn: () => client.accounts.startTotp.mutate() });
  const add = trpc.accounts.addTotp.useMutation({ onSuccess: onAdded });
  const { isIdle, mutate, data, error } = start;
  if (isIdle) {
    return (
      <Stack gap="sm">
        <Text>
          You need an app such as Google Authenticator, Microsoft Authenticator or Aegis on your phone. It
          shows a new code every 30 seconds.
        </Text>
        <Group gap="xs">
          <Button onClick={() => mutate()}>Show the QR code</Button>
          <Button variant="default" onClick={onCancel}>
            Back
          </Button>
        </Group>
      </Stack>
    );
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    if (!data) return;
    add.mutate({ enrolment: data.enrolment, code: String(new FormData(event.currentTarget).get("code")) });
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <FormError error={error ?? add.error} />
        {data && (
          <>
            <Text>1. Scan this with the app.</Text>
            <div style={{ width: 200 }}>
              <QrCode text={data.uri} label="QR code for your authenticator app" />
            </div>
            <Text size="sm">
              Or enter this key there: <Code>{data.secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}</Code>
            </Text>
            <TextInput
              name="code"
              label="2. Enter the code that the app shows"
              inputMode="numeric"
              autoComplete="one-time-code"
              required
            />
          </>
        )}
        <Group gap="xs">
          <Button type="submit" loading={start.isPending || add.isPending}>
            Add the app
          </Button>
          <Button variant="default" onClick={onCancel}>
            Back
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function PasskeyForm({ onAdded, onCancel }: FormProps) {
  const { client } = trpc.useUtils();
  const add = useMutation({
    mutationFn: async (name: string) =>
      client.accounts.addPasskey.mutate({ name, passkey: await createPasskey(client) }),
    onSuccess: onAdded,
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    add.mutate(String(new FormData(event.currentTarget).get("name")) || "Passkey");
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <FormError error={add.error} />
        <TextInput
          name="name"
          label="Name of the passkey"
          description="To recognise it later, such as Office PC or My phone"
          maxLength={60}
          required
          data-autofocus
        />
        <Group gap="xs">
          <Button type="submit" loading={add.isPending}>
            Add the passkey
          </Button>
          <Button variant="default" onClick={onCancel}>
            Back
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
