import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/support")({
  head: () => pageHead({ path: "/support", title: "Support", description: "Support" }),
  component: SupportPage,
});

function SupportPage() {
  return <PageTitle>Support</PageTitle>;
}
