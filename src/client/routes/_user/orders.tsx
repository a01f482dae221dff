import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { LinkButton } from "#client/ui/link-button.tsx";
import { PageTitle } from "#client/ui/page-title.tsx";

export const Route = createFileRoute("/_user/orders")({
  head: () => pageHead({ title: "Orders", description: "Your orders at Print Store." }),
  component: OrdersPage,
});

function OrdersPage() {
  return (
    <>
      <PageTitle lead="Each order is confirmed by e-mail, with its number, its price and its address. A list of them will stand here.">
        Orders
      </PageTitle>
      <div>
        <LinkButton to="/shops">Print something</LinkButton>
      </div>
    </>
  );
}
