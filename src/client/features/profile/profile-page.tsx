import type { CurrentUser } from "#shared/schemas/accounts.ts";
import {
  type ChangePasswordInput,
  changePasswordInput,
  changeStaffPasswordInput,
  renameInput,
} from "#shared/schemas/profile.ts";
import { STAFF_PASSWORD_HINT } from "#shared/schemas/staff-passwords.ts";
import { messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { useSetUser } from "../../lib/session.ts";
import { Card, CardColumn } from "../../ui/card.tsx";
import { FormAlert, FormStatus } from "../../ui/form-alert.tsx";
import { PageTitle } from "../../ui/page-title.tsx";
import {
  AccountForm,
  ConfirmPasswordField,
  HiddenUserName,
  NameField,
  PasswordField,
  useAccountForm,
} from "../accounts/account-form.tsx";
import { AddressesCard } from "./addresses-card.tsx";
import { EmailChange, PhoneChange } from "./contact-change.tsx";
import classes from "./profile.module.css";

/** The student's details, saved addresses and password. */
export function ProfilePage({ user }: { user: CurrentUser }) {
  return (
    <>
      <PageTitle lead="What the shops know about you when you order.">Profile</PageTitle>
      <CardColumn>
        <DetailsCard user={user} />
        <AddressesCard />
        <PasswordCard user={user} />
      </CardColumn>
    </>
  );
}

/** The student's name, e-mail and mobile number. */
function DetailsCard({ user }: { user: CurrentUser }) {
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

const EMPTY: ChangePasswordInput = { currentPassword: "", password: "", confirmpassword: "" };

/** Changes the password, which logs out all other devices. */
function PasswordCard({ user }: { user: CurrentUser }) {
  const isStaff = user.role !== "customer";
  const form = useAccountForm<ChangePasswordInput>({
    name: "change-password",
    schema: isStaff ? changeStaffPasswordInput : changePasswordInput,
    initialValues: EMPTY,
  });
  const utils = trpc.useUtils();
  const change = trpc.accounts.changePassword.useMutation({
    onSuccess: async () => {
      form.reset();
      await utils.accounts.devices.invalidate();
    },
  });
  return (
    <Card title="Password">
      <div className={classes.form}>
        {change.isError && <FormAlert message={messageOf(change.error)} />}
        <AccountForm
          form={form}
          submitLabel="Change password"
          busy={change.isPending}
          onSubmit={(values) => change.mutate(values)}
        >
          <HiddenUserName email={user.email} />
          <PasswordField
            label="Current password"
            name="currentPassword"
            autoComplete="current-password"
            {...form.getInputProps("currentPassword")}
          />
          <PasswordField
            label="New password"
            autoComplete="new-password"
            description={isStaff ? STAFF_PASSWORD_HINT : undefined}
            {...form.getInputProps("password")}
          />
          <ConfirmPasswordField {...form.getInputProps("confirmpassword")} />
        </AccountForm>
        <FormStatus
          message={change.isSuccess && "Your password is changed. Every other device was logged out."}
        />
      </div>
    </Card>
  );
}
