import { createFileRoute } from "@tanstack/react-router";
import { REFUND_SECTIONS } from "#client/features/legal/refund-sections.tsx";
import { pageHead } from "#client/lib/page-head.ts";
import { Article } from "#client/ui/article.tsx";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/refund-and-cancellation")({
  head: () =>
    pageHead({
      title: "Refund and Cancellation",
      description:
        "Orders cannot be cancelled or refunded; a printing error reported within 3 days is reprinted free of charge.",
    }),
  component: RefundPage,
});

function RefundPage() {
  return (
    <>
      <PageTitle lead="No cancellations or refunds. A printing error reported within 3 days is printed again.">
        Refund and Cancellation
      </PageTitle>
      <Article sections={REFUND_SECTIONS} />
    </>
  );
}
