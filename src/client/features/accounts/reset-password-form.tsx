import { useNavigate } from "@tanstack/react-router";
import { type ResetPasswordInput, resetPasswordInput } from "#shared/schemas/accounts.ts";
import { codeOf, issuesOf, messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { useSetUser } from "../../lib/session.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import { Notice } from "../../ui/notice.tsx";
import { showError, showSuccess } from "../../ui/popup/popup-store.ts";
import { AccountForm, ConfirmPasswordField, PasswordField, useAccountForm } from "./account-form.tsx";

const PASSWORD_CHANGED = { title: "Password Changed Successfully", text: "Login Now" };

/**
 * Sets a new password with the token of a mailed link. `onDeadLink`: the link was used, replaced or has expired.
 */
export function ResetPasswordForm({ token, onDeadLink }: { token: string; onDeadLink: () => void }) {
  const form = useAccountForm<ResetPasswordInput>({
    name: "reset-password",
    schema: resetPasswordInput,
    initialValues: { token, password: "", confirmpassword: "" },
  });
  const setUser = useSetUser();
  const navigate = useNavigate();
  const reset = trpc.accounts.resetPassword.useMutation({
    onSuccess: async () => {
      await setUser(null);
      await navigate({ to: "/login", replace: true });
      showSuccess(PASSWORD_CHANGED);
    },
    onError: (error) => {
      if (isDeadLink(error)) onDeadLink();
      else showError({ title: messageOf(error) });
    },
  });
  return (
    <AccountForm
      form={form}
      submitLabel="Save password"
      busy={reset.isPending}
      onSubmit={(values) => reset.mutate(values)}
    >
      <PasswordField label="New password" autoComplete="new-password" {...form.getInputProps("password")} />
      <ConfirmPasswordField {...form.getInputProps("confirmpassword")} />
    </AccountForm>
  );
}

/** Validation failed, but not for a field of the form: the token is invalid. */
function isDeadLink(error: unknown): boolean {
  return codeOf(error) === "INVALID_INPUT" && issuesOf(error).length === 0;
}

/** Shown for a password link that was used, replaced or has expired. */
export function ExpiredLink() {
  return (
    <Notice
      art="missing"
      title="This link is no longer valid"
      text="A password link works once, for 30 minutes. A newer link replaces it."
    >
      <LinkButton to="/forgotpassword">Ask for a new link</LinkButton>
      <LinkButton to="/login" variant="default">
        Back to login
      </LinkButton>
    </Notice>
  );
}
