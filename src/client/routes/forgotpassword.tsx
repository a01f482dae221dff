import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/forgotpassword")({
  head: () => pageHead({ path: "/forgotpassword", title: "Forgot password", description: "Forgot password" }),
  component: ForgotPasswordPage,
});

function ForgotPasswordPage() {
  return <PageTitle>Forgot password</PageTitle>;
}
