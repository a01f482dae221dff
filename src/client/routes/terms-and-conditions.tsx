import { createFileRoute } from "@tanstack/react-router";
import { TERMS_SECTIONS } from "#client/features/legal/terms-sections.tsx";
import { pageHead } from "#client/lib/page-head.ts";
import { Article } from "#client/ui/article.tsx";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/terms-and-conditions")({
  head: () =>
    pageHead({
      title: "Terms and Conditions",
      description:
        "What students, print shops and Print Store can rely on: accounts, files, prices, delivery and reprints.",
    }),
  component: TermsPage,
});

function TermsPage() {
  return (
    <>
      <PageTitle lead="What you and we can rely on when you order here.">Terms and Conditions</PageTitle>
      <Article sections={TERMS_SECTIONS} />
    </>
  );
}
