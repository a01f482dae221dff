import { createFileRoute } from "@tanstack/react-router";
import { useState } from "react";
import { AccountScreen, PadlockArt } from "../features/accounts/account-screen.tsx";
import { ExpiredLink, ResetPasswordForm } from "../features/accounts/reset-password-form.tsx";
import { pageHead } from "../lib/page-head.ts";

export const Route = createFileRoute("/reset-password")({
  validateSearch: (search: Record<string, unknown>): { token?: string } =>
    typeof search.token === "string" ? { token: search.token } : {},
  loaderDeps: ({ search }) => search,
  loader: async ({ context, deps: { token } }) => {
    // Unknown while the server cannot be reached; saving a password asks again.
    const valid =
      token && (await context.utils.accounts.isPasswordLinkValid.fetch({ token }).catch(() => true));
    return { token: valid ? token : null };
  },
  head: () =>
    pageHead({
      title: "Choose a new password",
      description: "Choose a new password for your Print Store account.",
    }),
  component: ResetPasswordPage,
});

function ResetPasswordPage() {
  const { token } = Route.useLoaderData();
  const [dead, setDead] = useState(false);
  if (!token || dead) return <ExpiredLink />;
  return (
    <AccountScreen
      title="Choose a new password"
      lead="Saving it logs you out everywhere."
      art={<PadlockArt />}
    >
      <ResetPasswordForm token={token} onDeadLink={() => setDead(true)} />
    </AccountScreen>
  );
}
