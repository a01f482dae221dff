import { Button } from "@mantine/core";
import { createFileRoute, useLocation } from "@tanstack/react-router";
import { useState } from "react";
import { PadlockArt } from "#client/features/accounts/account-art.tsx";
import { AccountFooter, AccountLink } from "#client/features/accounts/account-links.tsx";
import { AccountScreen } from "#client/features/accounts/account-screen.tsx";
import { ForgotPasswordDialog } from "#client/features/accounts/forgot-password-dialog.tsx";
import { pageHead } from "#client/lib/page-head.ts";

export const Route = createFileRoute("/forgotpassword")({
  head: () =>
    pageHead({
      title: "Forgot password",
      description: "Forgot your Print Store password? Get a link by email and choose a new one.",
    }),
  component: ForgotPasswordPage,
});

function ForgotPasswordPage() {
  const email = useLocation({ select: ({ state }) => state.email ?? "" });
  const [asking, setAsking] = useState(true);
  return (
    <AccountScreen
      title="Forgot password"
      lead="We will email you a link to choose a new one."
      art={<PadlockArt />}
    >
      <Button size="md" fullWidth onClick={() => setAsking(true)}>
        Enter your email
      </Button>
      <AccountFooter>
        <AccountLink to="/login">Back to login</AccountLink>
      </AccountFooter>
      <ForgotPasswordDialog email={email} opened={asking} onClose={() => setAsking(false)} />
    </AccountScreen>
  );
}
