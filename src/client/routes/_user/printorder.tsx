import { createFileRoute } from "@tanstack/react-router";
import { pageHead } from "#client/lib/page-head.ts";
import { CheckoutPage } from "../../features/checkout/checkout-page.tsx";

const DESCRIPTION = "Say where your prints go, check the order and place it.";

export const Route = createFileRoute("/_user/printorder")({
  loader: ({ context }) => context.utils.addresses.list.prefetch(undefined, { retry: false }),
  head: () => pageHead({ title: "Your order", description: DESCRIPTION }),
  component: PrintOrderPage,
});

function PrintOrderPage() {
  const { user } = Route.useRouteContext();
  return <CheckoutPage user={user} />;
}
