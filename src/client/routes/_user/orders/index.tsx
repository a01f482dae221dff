import { createFileRoute } from "@tanstack/react-router";
import { OwnOrders } from "../../../features/orders/own-orders.tsx";
import { pageHead } from "../../../lib/page-head.ts";
import { PageTitle } from "../../../ui/page-title.tsx";

export const Route = createFileRoute("/_user/orders/")({
  loader: ({ context }) => context.utils.orders.mine.prefetchInfinite({}, { retry: false }),
  head: () => pageHead({ title: "Orders", description: "Your orders at Print Store." }),
  component: OrdersPage,
});

function OrdersPage() {
  return (
    <>
      <PageTitle lead="The progress of each order, and what became of its files. Choose one for its details.">
        Orders
      </PageTitle>
      <OwnOrders />
    </>
  );
}
