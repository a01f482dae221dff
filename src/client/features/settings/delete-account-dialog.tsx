import { messageOf } from "#client/lib/errors.ts";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { deleteAccountInput } from "#shared/schemas/profile.ts";
import { AccountDialog } from "../accounts/account-dialog.tsx";
import { PasswordField } from "../accounts/account-fields.tsx";
import { AccountForm } from "../accounts/account-form.tsx";
import { FormAlert } from "../accounts/form-alert.tsx";
import { useAccountForm } from "../accounts/use-account-form.ts";
import { useDeleteAccount } from "./use-delete-account.ts";

interface DeleteAccountDialogProps {
  user: CurrentUser;
  opened: boolean;
  onClose: () => void;
}

/** Says what goes, and asks for the password: somebody else at an open browser must not delete the account. */
export function DeleteAccountDialog({ user, opened, onClose }: DeleteAccountDialogProps) {
  const form = useAccountForm({
    name: "delete-account",
    schema: deleteAccountInput,
    initialValues: { password: "" },
  });
  const remove = useDeleteAccount();

  function leave() {
    form.reset();
    remove.reset();
    onClose();
  }

  return (
    <AccountDialog title="Delete your account?" opened={opened} onClose={leave}>
      <p>
        This cannot be undone. You are signed out everywhere, and the account of <strong>{user.email}</strong>{" "}
        is gone. It has to wait while an order of yours is under way.
      </p>
      {remove.isError && <FormAlert message={messageOf(remove.error)} />}
      <AccountForm
        form={form}
        submitLabel="Delete for ever"
        danger
        busy={remove.isPending}
        onSubmit={(values) => remove.mutate(values)}
      >
        {/* Tells password managers whose password it is. */}
        <input type="text" autoComplete="username" value={user.email} readOnly hidden />
        <PasswordField data-autofocus autoComplete="current-password" {...form.getInputProps("password")} />
      </AccountForm>
    </AccountDialog>
  );
}
