import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/reset-password")({
  head: () =>
    pageHead({
      path: "/reset-password",
      title: "Choose a new password",
      description: "Choose a new password",
    }),
  component: ResetPasswordPage,
});

function ResetPasswordPage() {
  return <PageTitle>Choose a new password</PageTitle>;
}
