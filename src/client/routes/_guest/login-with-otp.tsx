import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/_guest/login-with-otp")({
  head: () => pageHead({ path: "/login-with-otp", title: "Login with OTP", description: "Login with OTP" }),
  component: LoginWithOtpPage,
});

function LoginWithOtpPage() {
  return <PageTitle>Login with OTP</PageTitle>;
}
