import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/_guest/login")({
  head: () => pageHead({ path: "/login", title: "Login", description: "Login" }),
  component: LoginPage,
});

function LoginPage() {
  return <PageTitle>Login</PageTitle>;
}
