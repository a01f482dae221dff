import { createFileRoute } from "@tanstack/react-router";
import { SupportTopics } from "../features/help/support-topics.tsx";
import { pageHead } from "../lib/page-head.ts";
import { PageTitle } from "../ui/page-title.tsx";

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
