import { messageOf } from "#ui/errors.ts";
import { trpc } from "#ui/trpc.ts";
import { FormAlert } from "../../ui/form-alert.tsx";
import { LinkButton } from "../../ui/link-button.tsx";
import { AccountDialog } from "./account-dialog.tsx";
import { EmailForm } from "./email-form.tsx";

interface ForgotPasswordDialogProps {
  /** Prefilled. */
  email: string;
  opened: boolean;
  onClose: () => void;
}

/** Asks for the account's e-mail, then says that a link was sent there. */
export function ForgotPasswordDialog({ email, opened, onClose }: ForgotPasswordDialogProps) {
  const request = trpc.accounts.requestPasswordLink.useMutation();
  return (
    <AccountDialog title="Forgot password" opened={opened} onClose={onClose}>
      {request.isSuccess ? (
        <LinkSent email={request.data.email} />
      ) : (
        <>
          <p>Enter your account's email. We will send you a link to choose a new password.</p>
          {request.isError && <FormAlert message={messageOf(request.error)} />}
          <EmailForm
            email={email}
            submitLabel="Send link"
            busy={request.isPending}
            onSubmit={(values) => request.mutate(values)}
          />
        </>
      )}
    </AccountDialog>
  );
}

/** Takes the focus from the form, so that screen readers announce it. */
function LinkSent({ email }: { email: string }) {
  return (
    <>
      <p tabIndex={-1} ref={(element) => element?.focus()}>
        A link to change your password was sent to <strong>{email}</strong>. It works once, for 30 minutes. If
        you do not see it, check your spam folder.
      </p>
      <LinkButton to="/login" size="md" fullWidth>
        Back to login
      </LinkButton>
    </>
  );
}
