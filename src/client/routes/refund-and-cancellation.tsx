import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/refund-and-cancellation")({
  head: () =>
    pageHead({
      path: "/refund-and-cancellation",
      title: "Refund and Cancellation",
      description: "Refund and Cancellation",
    }),
  component: RefundPage,
});

function RefundPage() {
  return <PageTitle>Refund and Cancellation</PageTitle>;
}
