import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/_guest/signup")({
  head: () => pageHead({ path: "/signup", title: "Signup", description: "Signup" }),
  component: SignupPage,
});

function SignupPage() {
  return <PageTitle>Signup</PageTitle>;
}
