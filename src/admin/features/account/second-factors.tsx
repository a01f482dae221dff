import { Alert, Button, Code, CopyButton, Group, SimpleGrid, Stack, Text, TextInput } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { useMutation } from "@tanstack/react-query";
import { type FormEvent, type ReactNode, useState } from "react";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { codeOf } from "#ui/errors.ts";
import { takeFocus } from "#ui/focus.ts";
import { QrCode } from "#ui/qr-code.tsx";
import { trpc } from "#ui/trpc.ts";
import TbDeviceMobile from "~icons/tabler/device-mobile";
import TbKey from "~icons/tabler/key";
import { canUsePasskeys, createPasskey } from "../../lib/passkeys.ts";
import { FormError } from "../../ui/form-error.tsx";
import classes from "./second-factors.module.css";

export interface AddedFactor {
  /** Those that the first factor brings; the person must save them now. */
  recoveryCodes: string[] | null;
  /** Set when this completed a login. */
  user: CurrentUser | null;
}

interface AddFactorsProps {
  /** A new authenticator app replaces the existing one. */
  hasTotp?: boolean;
  onAdded: (added: AddedFactor) => void;
}

/** Sets up an authenticator app or a passkey. */
export function AddFactors({ hasTotp = false, onAdded }: AddFactorsProps) {
  const [shown, setShown] = useState<"totp" | "passkey" | null>(null);
  /** The form that was left: its button takes the focus. */
  const [left, setLeft] = useState(shown);

  function close() {
    setLeft(shown);
    setShown(null);
  }

  function take(added: AddedFactor) {
    close();
    onAdded(added);
  }

  if (shown === "totp") return <TotpForm onAdded={take} onCancel={close} />;
  if (shown === "passkey") return <PasskeyForm onAdded={take} onCancel={close} />;
  return (
    <Group gap="xs">
      <Button
        leftSection={<TbDeviceMobile size={18} />}
        variant={hasTotp ? "default" : "filled"}
        onClick={() => setShown("totp")}
        autoFocus={left === "totp"}
      >
        {hasTotp ? "Replace the authenticator app" : "Use an authenticator app"}
      </Button>
      {canUsePasskeys() && (
        <Button
          variant="default"
          leftSection={<TbKey size={18} />}
          onClick={() => setShown("passkey")}
          autoFocus={left === "passkey"}
        >
          Add a passkey
        </Button>
      )}
    </Group>
  );
}

interface FormProps {
  onAdded: (added: AddedFactor) => void;
  onCancel: () => void;
}

function TotpForm({ onAdded, onCancel }: FormProps) {
  const { client } = trpc.useUtils();
  const start = useMutation({ mutationFn: () => client.accounts.startTotp.mutate() });
  const add = trpc.accounts.addTotp.useMutation({
    onSuccess: onAdded,
    onError: (error) => codeOf(error) === "GONE" && start.reset(),
  });
  const { data } = start;
  if (!data) {
    return (
      <Stack gap="sm">
        <FormError error={start.error ?? add.error} />
        <Text>
          You need an app such as Google Authenticator, Microsoft Authenticator or Aegis on your phone. It
          shows a new code every 30 seconds.
        </Text>
        <Group gap="xs">
          <Button
            loading={start.isPending}
            onClick={() => {
              add.reset();
              start.mutate();
            }}
            autoFocus
          >
            Show the QR code
          </Button>
          <Button variant="default" onClick={onCancel}>
            Back
          </Button>
        </Group>
      </Stack>
    );
  }
  const { uri, secret, enrolment } = data;
  return (
    <FactorForm
      error={add.error}
      action="Add the app"
      isPending={add.isPending}
      onSubmit={(fields) => add.mutate({ enrolment, code: String(fields.get("code")) })}
      onCancel={onCancel}
    >
      <Text>1. Scan this with the app.</Text>
      <div style={{ width: 200 }}>
        <QrCode text={uri} label="QR code for your authenticator app" />
      </div>
      <Text size="sm">
        Or enter this key there: <Code>{secret.replaceAll(/(.{4})(?=.)/g, "$1 ")}</Code>
      </Text>
      <TextInput
        name="code"
        label="2. Enter the code that the app shows"
        inputMode="numeric"
        autoComplete="one-time-code"
        required
        autoFocus
      />
    </FactorForm>
  );
}

function PasskeyForm({ onAdded, onCancel }: FormProps) {
  const { client } = trpc.useUtils();
  const add = useMutation({
    mutationFn: async (name: string) =>
      client.accounts.addPasskey.mutate({ name, passkey: await createPasskey(client) }),
    onSuccess: onAdded,
  });
  return (
    <FactorForm
      error={add.error}
      action="Add the passkey"
      isPending={add.isPending}
      onSubmit={(fields) => add.mutate(String(fields.get("name")) || "Passkey")}
      onCancel={onCancel}
    >
      <TextInput
        name="name"
        label="Name of the passkey"
        description="To recognise it later, such as Office PC or My phone"
        maxLength={60}
        required
        autoFocus
      />
    </FactorForm>
  );
}

interface FactorFormProps {
  error: unknown;
  /** The text of the button that sends the form. */
  action: string;
  isPending: boolean;
  onSubmit: (fields: FormData) => void;
  onCancel: () => void;
  children: ReactNode;
}

function FactorForm({ error, action, isPending, onSubmit, onCancel, children }: FactorFormProps) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    onSubmit(new FormData(event.currentTarget));
  }

  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="sm">
        <FormError error={error} />
        {children}
        <Group gap="xs">
          <Button type="submit" loading={isPending}>
            {action}
          </Button>
          <Button variant="default" onClick={onCancel}>
            Back
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The recovery codes, shown only once. */
export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  useWindowEvent("beforeunload", (event) => event.preventDefault());
  return (
    <Stack gap="sm">
      <Stack gap="sm" className={classes.printed}>
        <Alert color="gray" title="Save these recovery codes" ref={takeFocus} tabIndex={-1}>
          <Text size="sm">
            Each code logs you in once if you have neither your phone nor a passkey. They are shown only now:
            print them or store them in a password manager.
          </Text>
        </Alert>
        <SimpleGrid component="ul" cols={2} spacing="xs" aria-label="Recovery codes">
          {codes.map((code) => (
            <li key={code}>
              <Code fz="md">{code}</Code>
            </li>
          ))}
        </SimpleGrid>
      </Stack>
      <Group gap="xs">
        <CopyButton value={codes.join("\n")}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? "Copied" : "Copy"}
            </Button>
          )}
        </CopyButton>
        <Button variant="default" onClick={() => window.print()}>
          Print
        </Button>
        <Button onClick={onDone}>I have saved them</Button>
      </Group>
    </Stack>
  );
}
