import { createFileRoute } from "@tanstack/react-router";
import { SupportTopics } from "#client/features/help/support-topics.tsx";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/support")({
  head: () =>
    pageHead({
      title: "Support",
      description: "Help with uploads, logins, orders and reprints at Print Store.",
    }),
  component: SupportPage,
});

function SupportPage() {
  return (
    <>
      <PageTitle lead="Common problems and how to solve them.">Support</PageTitle>
      <SupportTopics />
    </>
  );
}
