import type { CurrentUser } from "#shared/schemas/accounts.ts";
import { renameInput } from "#shared/schemas/profile.ts";
import { messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { useSetUser } from "../../lib/session.ts";
import { Card } from "../../ui/card.tsx";
import { FormAlert, FormStatus } from "../../ui/form-alert.tsx";
import { AccountForm, NameField, useAccountForm } from "../accounts/account-form.tsx";
import { EmailChange, PhoneChange } from "./contact-change.tsx";
import classes from "./profile.module.css";

/** The student's name, e-mail and mobile number. */
export function DetailsCard({ user }: { user: CurrentUser }) {
  return (
    <Card title="Your details">
      <div className={classes.part}>
        <NameForm user={user} />
      </div>
      <div className={classes.part}>
        <EmailChange user={user} />
      </div>
      <div className={classes.part}>
        <PhoneChange user={user} />
      </div>
    </Card>
  );
}

function NameForm({ user }: { user: CurrentUser }) {
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
        <NameField enterKeyHint="go" {...form.getInputProps("fullName")} />
      </AccountForm>
      <FormStatus message={rename.isSuccess && "Your name is saved."} />
    </div>
  );
}
