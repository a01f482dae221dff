import { createFileRoute } from "@tanstack/react-router";
import { useState } from "react";
import {
  AccountFooter,
  AccountLink,
  AccountScreen,
  CodeMailArt,
} from "../../features/accounts/account-screen.tsx";
import { OtpLoginForm, rememberedOtpTarget } from "../../features/accounts/otp-login-form.tsx";
import { pageHead } from "../../lib/page-head.ts";
import { Loader } from "../../ui/loader.tsx";

/** Not rendered on the server: it depends on session storage. */
export const Route = createFileRoute("/_guest/login-with-otp")({
  ssr: "data-only",
  head: () =>
    pageHead({
      title: "Login with OTP",
      description: "Enter the code from your email to log in to Print Store without a password.",
    }),
  component: LoginWithOtpPage,
  pendingComponent: Loader,
});

function LoginWithOtpPage() {
  const [target] = useState(rememberedOtpTarget);
  const name = target?.email ?? target?.phone;
  return (
    <AccountScreen
      title="Login with OTP"
      lead={
        name ? (
          <>
            Enter the code that we sent for <strong>{name}</strong>. It works for 10 minutes.
          </>
        ) : (
          "This tab does not know where your code went. Go back to login and ask for a new one."
        )
      }
      art={<CodeMailArt />}
    >
      <OtpLoginForm target={target} />
      <AccountFooter>
        <AccountLink to="/login" replace>
          Back to login
        </AccountLink>
      </AccountFooter>
    </AccountScreen>
  );
}
