import { createFileRoute } from "@tanstack/react-router";
import { HOW_IT_WORKS_SECTIONS } from "#client/features/help/how-it-works-sections.tsx";
import { pageHead } from "#client/lib/page-head.ts";
import { Article } from "#client/ui/article.tsx";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/how-it-works")({
  head: () =>
    pageHead({
      title: "How it works",
      description:
        "From a PDF on your phone to pages at your door in four steps: visit, upload, customise, checkout.",
    }),
  component: HowItWorksPage,
});

function HowItWorksPage() {
  return (
    <>
      <PageTitle lead="From a PDF on your phone to pages at your door.">How it works</PageTitle>
      <Article sections={HOW_IT_WORKS_SECTIONS} />
    </>
  );
}
