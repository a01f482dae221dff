import { messageOf } from "#client/lib/errors.ts";
import { useSetUser } from "#client/lib/session.ts";
import { trpc } from "#client/lib/trpc.ts";
import { FormStatus } from "#client/ui/form-status.tsx";
import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { renameInput } from "#shared/schemas/profile.ts";
import { NameField } from "../accounts/account-fields.tsx";
import { AccountForm } from "../accounts/account-form.tsx";
import { FormAlert } from "../accounts/form-alert.tsx";
import { useAccountForm } from "../accounts/use-account-form.ts";
import classes from "./profile-form.module.css";

export function NameForm({ user }: { user: CurrentUser }) {
  const form = useAccountForm({
    name: "name",
    schema: renameInput,
    initialValues: { fullName: user.fullName },
  });
  const setUser = useSetUser();
  const rename = trpc.accounts.rename.useMutation({
    onSuccess: async (renamed) => {
      form.setValues({ fullName: renamed.fullName });
      await setUser(renamed);
    },
  });
  return (
    <div className={classes.form}>
      {rename.isError && <FormAlert message={messageOf(rename.error)} />}
      <AccountForm
        form={form}
        submitLabel="Save name"
        busy={rename.isPending}
        onSubmit={(values) => rename.mutate(values)}
      >
        <NameField {...form.getInputProps("fullName")} />
      </AccountForm>
      <FormStatus message={rename.isSuccess && "Your name is saved."} />
    </div>
  );
}
