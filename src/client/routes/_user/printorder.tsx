import { createFileRoute } from "@tanstack/react-router";
import { CheckoutPage } from "../../features/checkout/checkout.tsx";
import { pageHead } from "../../lib/page-head.ts";

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
