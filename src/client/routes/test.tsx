import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/test")({
  head: () => pageHead({ title: "Contact", description: "Contact" }),
  component: TestPage,
});

function TestPage() {
  return <PageTitle>Contact</PageTitle>;
}
