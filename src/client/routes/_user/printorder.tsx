import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/_user/printorder")({
  head: () => pageHead({ path: "/printorder", title: "Your order", description: "Your order" }),
  component: PrintOrderPage,
});

function PrintOrderPage() {
  return <PageTitle>Your order</PageTitle>;
}
