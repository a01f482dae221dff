import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/_user/printnow")({
  head: () => pageHead({ path: "/printnow", title: "Print now", description: "Print now" }),
  component: PrintNowPage,
});

function PrintNowPage() {
  return <PageTitle>Print now</PageTitle>;
}
