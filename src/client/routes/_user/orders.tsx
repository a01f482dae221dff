import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/_user/orders")({
  head: () => pageHead({ title: "Orders", description: "Orders" }),
  component: OrdersPage,
});

function OrdersPage() {
  return <PageTitle>Orders</PageTitle>;
}
