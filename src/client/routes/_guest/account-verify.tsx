import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/_guest/account-verify")({
  head: () =>
    pageHead({ path: "/account-verify", title: "Verify your account", description: "Verify your account" }),
  component: AccountVerifyPage,
});

function AccountVerifyPage() {
  return <PageTitle>Verify your account</PageTitle>;
}
