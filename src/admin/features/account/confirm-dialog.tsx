import { Button, Group, PasswordInput, Stack, Text } from "@mantine/core";
import { modals } from "@mantine/modals";
import type { FormEvent, KeyboardEvent } from "react";
import { messageOf } from "#client/lib/errors.ts";
import { trpc } from "#client/lib/trpc.ts";

const DIALOG = "confirm-it-is-you";

/** The question that is open, if one is: calls that are refused together ask once. */
let open: Promise<boolean> | null = null;

/** Has the person prove that it is still them; false when they close the dialog instead. */
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
      // Mantine would close the dialog below with it; the form sees to the key itself.
      closeOnEscape: false,
      onClose: () => resolve(false),
      children: <ConfirmForm onDone={() => finish(true)} onCancel={() => finish(false)} />,
    });
  });
}

function ConfirmForm({ onDone, onCancel }: { onDone: () => void; onCancel: () => void }) {
  const confirm = trpc.accounts.confirm.useMutation({ onSuccess: onDone });

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    // React hands events of a dialog on to the form that it was opened from.
    event.stopPropagation();
    confirm.mutate({ password: String(new FormData(event.currentTarget).get("password")) });
  }

  function closeByKey(event: KeyboardEvent) {
    if (event.key === "Escape") onCancel();
  }

  return (
    <form onSubmit={submit} onKeyDown={closeByKey} noValidate>
      <Stack gap="sm">
        <Text>This needs your password again. What you entered stays as it is.</Text>
        <PasswordInput
          name="password"
          label="Your password"
          autoComplete="current-password"
          error={confirm.error && messageOf(confirm.error)}
          required
          data-autofocus
          data-mantine-stop-propagation="true"
        />
        <Group justify="flex-end" gap="xs">
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
