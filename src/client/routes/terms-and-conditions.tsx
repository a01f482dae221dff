import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/terms-and-conditions")({
  head: () =>
    pageHead({
      path: "/terms-and-conditions",
      title: "Terms and Conditions",
      description: "Terms and Conditions",
    }),
  component: TermsPage,
});

function TermsPage() {
  return <PageTitle>Terms and Conditions</PageTitle>;
}
