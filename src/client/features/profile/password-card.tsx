import type { CurrentUser } from "#shared/schemas/accounts.ts";
import {
  type ChangePasswordInput,
  changePasswordInput,
  changeStaffPasswordInput,
} from "#shared/schemas/profile.ts";
import { STAFF_PASSWORD_HINT } from "#shared/schemas/staff-passwords.ts";
import { messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { Card } from "../../ui/card.tsx";
import { FormAlert, FormStatus } from "../../ui/form-alert.tsx";
import { AccountForm, HiddenUserName, PasswordField, useAccountForm } from "../accounts/account-form.tsx";
import classes from "./profile.module.css";

const EMPTY: ChangePasswordInput = { currentPassword: "", password: "", confirmpassword: "" };

/** Changes the password, which logs out all other devices. */
export function PasswordCard({ user }: { user: CurrentUser }) {
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
          <PasswordField
            label="Confirm password"
            name="confirmpassword"
            autoComplete="new-password"
            enterKeyHint="go"
            {...form.getInputProps("confirmpassword")}
          />
        </AccountForm>
        <FormStatus
          message={change.isSuccess && "Your password is changed. Every other device was logged out."}
        />
      </div>
    </Card>
  );
}
