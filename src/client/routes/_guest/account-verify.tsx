import { createFileRoute } from "@tanstack/react-router";
import {
  AccountFooter,
  AccountLink,
  AccountScreen,
  CodeMailArt,
} from "../../features/accounts/account-screen.tsx";
import { VerifyForm } from "../../features/accounts/verify-form.tsx";
import { pageHead } from "../../lib/page-head.ts";
import { Loader } from "../../ui/loader.tsx";

/** Not rendered on the server: it depends on session storage. */
export const Route = createFileRoute("/_guest/account-verify")({
  ssr: "data-only",
  head: () =>
    pageHead({
      title: "Verify your account",
      description: "Enter the code from your email to verify your Print Store account.",
    }),
  component: AccountVerifyPage,
  pendingComponent: Loader,
});

function AccountVerifyPage() {
  return (
    <AccountScreen
      title="Verify your account"
      lead="We have emailed you a code. Enter it here within 10 minutes."
      art={<CodeMailArt />}
    >
      <VerifyForm />
      <AccountFooter>
        Wrong email?{" "}
        <AccountLink to="/signup" replace>
          Sign up again
        </AccountLink>
      </AccountFooter>
    </AccountScreen>
  );
}
