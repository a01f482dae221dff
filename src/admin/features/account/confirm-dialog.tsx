import { Button, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { modals } from "@mantine/modals";
import { useMutation } from "@tanstack/react-query";
import type { FormEvent, KeyboardEvent } from "react";
import { messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { askPasskey, canUsePasskeys } from "../../lib/passkeys.ts";
import { FormError } from "../../ui/form-error.tsx";

const DIALOG = "confirm-it-is-you";

/** The open question, if any: calls that fail together ask once. */
let open: Promise<boolean> | null = null;

/** Asks for the password or another proof; false if the person closes the dialog. */
export function askToConfirm(): Promise<boolean> {
  open ??= ask().finally(() => {
    open = null;
  });
  return open;
}

function ask(): Promise<boolean> {
  return new Promise((resolve) => {
    const finish = (confirmed: boolean) => {
      resolve(confirmed);
      modals.close(DIALOG);
    };
    modals.open({
      modalId: DIALOG,
      title: "Confirm it is you",
      // Escape would also close the dialog below; the form handles the key itself.
      closeOnEscape: false,
      onClose: () => resolve(false),
      children: <ConfirmForm onDone={() => finish(true)} onCancel={() => finish(false)} />,
    });
  });
}

function ConfirmForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const { client } = trpc.useUtils();
  const factors = trpc.accounts.secondFactors.useQuery(undefined, { staleTime: 0 }).data;
  const confirm = trpc.accounts.confirm.useMutation({ onSuccess: onDone });
  const codeError = confirm.variables && "code" in confirm.variables ? confirm.error : null;
  const confirmByPasskey = useMutation({
    mutationFn: async () => client.accounts.confirm.mutate({ passkey: await askPasskey(client) }),
    onSuccess: onDone,
  });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const code = String(fields.get("code") ?? "");
    confirm.mutate(code ? { code } : { password: String(fields.get("password")) });
  }

  function closeByKey(event: KeyboardEvent) {
    if (event.key === "Escape") onCancel();
  }

  return (
    <form onSubmit={submit} onKeyDown={closeByKey} noValidate>
      <Stack gap="sm">
        <Text>Please confirm your identity to continue. Nothing you entered is lost.</Text>
        <PasswordInput
          name="password"
          label="Your password"
          autoComplete="current-password"
          error={confirm.error && !codeError && messageOf(confirm.error)}
          required
          data-autofocus
          data-mantine-stop-propagation="true"
        />
        {factors?.totp && (
          <TextInput
            name="code"
            label="Or a code from your authenticator app"
            inputMode="numeric"
            autoComplete="one-time-code"
            error={codeError && messageOf(codeError)}
            data-mantine-stop-propagation="true"
          />
        )}
        <FormError error={confirmByPasskey.error} />
        <Group justify="flex-end" gap="xs">
          {factors && factors.passkeys.length > 0 && canUsePasskeys() && (
            <Button
              variant="default"
              mr="auto"
              loading={confirmByPasskey.isPending}
              onClick={() => confirmByPasskey.mutate()}
              data-mantine-stop-propagation="true"
            >
              Use a passkey
            </Button>
          )}
          <Button variant="default" onClick={onCancel} data-mantine-stop-propagation="true">
            Cancel
          </Button>
          <Button type="submit" loading={confirm.isPending} data-mantine-stop-propagation="true">
            Confirm
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
