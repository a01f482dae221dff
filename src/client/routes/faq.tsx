import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/faq")({
  head: () => pageHead({ path: "/faq", title: "FAQs", description: "FAQs" }),
  component: FaqPage,
});

function FaqPage() {
  return <PageTitle>FAQs</PageTitle>;
}
