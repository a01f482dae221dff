import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/shops")({
  head: () => pageHead({ title: "Shops", description: "Shops" }),
  component: ShopsPage,
});

function ShopsPage() {
  return <PageTitle>Shops</PageTitle>;
}
