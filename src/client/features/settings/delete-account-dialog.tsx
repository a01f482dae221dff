import { useNavigate } from "@tanstack/react-router";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { deleteAccountInput } from "#shared/schemas/profile.ts";
import { messageOf } from "#ui/errors.ts";
import { clearPersonalData } from "#ui/personal-data.ts";
import { trpc } from "#ui/trpc.ts";
import { useSetUser } from "../../lib/session.ts";
import { FormAlert } from "../../ui/form-alert.tsx";
import { showSuccess } from "../../ui/popup/popup-store.ts";
import { AccountDialog } from "../accounts/account-dialog.tsx";
import { AccountForm, HiddenUserName, PasswordField, useAccountForm } from "../accounts/account-form.tsx";

interface DeleteAccountDialogProps {
  user: CurrentUser;
  opened: boolean;
  onClose: () => void;
}

/** Asks for the password, so that nobody else at an open browser can delete the account. */
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
        This cannot be undone. You will be logged out everywhere, and the account of{" "}
        <strong>{user.email}</strong> will be deleted. You cannot delete it while one of your orders is in
        progress.
      </p>
      {remove.isError && <FormAlert message={messageOf(remove.error)} />}
      <AccountForm
        form={form}
        submitLabel="Delete account"
        danger
        busy={remove.isPending}
        onSubmit={(values) => remove.mutate(values)}
      >
        <HiddenUserName email={user.email} />
        <PasswordField
          data-autofocus
          autoComplete="current-password"
          enterKeyHint="go"
          {...form.getInputProps("password")}
        />
      </AccountForm>
    </AccountDialog>
  );
}

const DELETED = {
  title: "Your account is deleted",
  text: "Thank you for printing with us. You are welcome to sign up again at any time.",
};

/** Deletes the account, clears the person's data in this browser, and opens the home page. */
function useDeleteAccount() {
  const navigate = useNavigate();
  const setUser = useSetUser();
  const utils = trpc.useUtils();
  return trpc.privacy.deleteAccount.useMutation({
    onSuccess: async () => {
      clearPersonalData();
      // The home page is not to ask for the orders of an account that is gone.
      utils.accounts.me.setData(undefined, null);
      await navigate({ to: "/" });
      await setUser(null);
      showSuccess(DELETED);
    },
  });
}
