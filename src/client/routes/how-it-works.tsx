import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/how-it-works")({
  head: () => pageHead({ path: "/how-it-works", title: "How it works", description: "How it works" }),
  component: HowItWorksPage,
});

function HowItWorksPage() {
  return <PageTitle>How it works</PageTitle>;
}
