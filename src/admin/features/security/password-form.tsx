import { Button, Group, PasswordInput, Stack } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { issuesOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { showDone } from "../../lib/notices.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { NewPasswordFields } from "../../ui/new-password-fields.tsx";

/** Changes one's own password, which logs out all other devices. */
export function PasswordForm({ owner }: { owner: { fullName: string; email: string } }) {
  const { accounts } = trpc.useUtils();
  const [changes, setChanges] = useState(0);
  const change = trpc.accounts.changePassword.useMutation({
    onSuccess: async () => {
      setChanges(changes + 1);
      showDone("Your password is changed, and every other device is logged out");
      await accounts.devices.invalidate();
    },
  });
  const issues = issuesOf(change.error);
  const issueOf = (field: string) => issues.find(({ path }) => path === field)?.message;

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const fields = new FormData(event.currentTarget);
    const text = (name: string) => String(fields.get(name) ?? "");
    change.mutate({
      currentPassword: text("currentPassword"),
      password: text("password"),
      confirmpassword: text("confirmpassword"),
    });
  }

  return (
    <form key={changes} onSubmit={submit} noValidate>
      <Stack gap="sm" maw={400}>
        {issues.length === 0 && <FormError error={change.error} />}
        <input type="hidden" name="username" autoComplete="username" value={owner.email} />
        <PasswordInput
          name="currentPassword"
          label="Current password"
          autoComplete="current-password"
          error={issueOf("currentPassword")}
          required
        />
        <NewPasswordFields owner={owner} issueOf={issueOf} />
        <Group>
          <Button type="submit" loading={change.isPending}>
            Change password
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
