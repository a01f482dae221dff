import { Button } from "@mantine/core";
import { createFileRoute } from "@tanstack/react-router";
import { useState } from "react";
import { messageOf } from "#ui/errors.ts";
import { takeFocus } from "#ui/focus.ts";
import { trpc } from "#ui/trpc.ts";
import { AccountDialog, EmailForm } from "../features/accounts/account-dialog.tsx";
import {
  AccountFooter,
  AccountLink,
  AccountScreen,
  PadlockArt,
} from "../features/accounts/account-screen.tsx";
import { typedEmail } from "../features/accounts/typed-login.ts";
import { pageHead } from "../lib/page-head.ts";
import { FormAlert } from "../ui/form-alert.tsx";
import { LinkButton } from "../ui/link-button.tsx";

export const Route = createFileRoute("/forgotpassword")({
  head: () =>
    pageHead({
      title: "Forgot password",
      description: "Forgot your Print Store password? Get a link by email and choose a new one.",
    }),
  component: ForgotPasswordPage,
});

function ForgotPasswordPage() {
  const [email] = useState(typedEmail);
  const [asking, setAsking] = useState(true);
  const request = trpc.accounts.requestPasswordLink.useMutation();

  /** Asks anew: the address of the last time may have been mistyped. */
  function ask() {
    request.reset();
    setAsking(true);
  }

  return (
    <AccountScreen
      title="Forgot password"
      lead="We will email you a link to choose a new one."
      art={<PadlockArt />}
    >
      <Button size="md" fullWidth onClick={ask}>
        Enter your email
      </Button>
      <AccountFooter>
        <AccountLink to="/login">Back to login</AccountLink>
      </AccountFooter>
      <AccountDialog title="Forgot password" opened={asking} onClose={() => setAsking(false)}>
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
    </AccountScreen>
  );
}

/** Takes the focus from the form, so that screen readers announce it. */
function LinkSent({ email }: { email: string }) {
  return (
    <>
      <p tabIndex={-1} ref={takeFocus}>
        A link to change your password was sent to <strong>{email}</strong>. It works once, for 30 minutes. If
        you do not see it, check your spam folder.
      </p>
      <LinkButton to="/login" size="md" fullWidth>
        Back to login
      </LinkButton>
    </>
  );
}
