import { createFileRoute } from "@tanstack/react-router";
import { FaqList } from "../features/help/faq.tsx";
import { pageHead } from "../lib/page-head.ts";
import { PageTitle } from "../ui/page-title.tsx";

export const Route = createFileRoute("/faq")({
  head: () =>
    pageHead({
      title: "FAQs",
      description: "Answers about files, paper, prices, delivery, reprints and accounts at Print Store.",
    }),
  component: FaqPage,
});

function FaqPage() {
  return (
    <>
      <PageTitle lead="What students ask before their first order.">FAQs</PageTitle>
      <FaqList />
    </>
  );
}
