import { createFileRoute, notFound } from "@tanstack/react-router";
import { codeOf } from "#ui/errors.ts";
import { OrderPage, UnknownOrder } from "../../../features/orders/order-page.tsx";
import { pageHead } from "../../../lib/page-head.ts";

export const Route = createFileRoute("/_user/orders/$id")({
  // Other errors are shown on the page, which can retry.
  loader: async ({ context, params }) => {
    try {
      const order = { orderId: params.id };
      const [{ number }] = await Promise.all([
        context.utils.orders.one.fetch(order, { retry: false }),
        context.utils.reprints.own.fetch(order, { retry: false }),
        context.utils.push.device.prefetch(undefined, { retry: false }),
      ]);
      return { number };
    } catch (error) {
      if (codeOf(error) === "NOT_FOUND") throw notFound();
    }
  },
  head: ({ loaderData }) =>
    pageHead({
      title: loaderData ? `Order ${loaderData.number}` : "Your order",
      description: "The progress and details of your order.",
    }),
  codeSplitGroupings: [["component", "notFoundComponent"]],
  component: OrderRoute,
  notFoundComponent: UnknownOrder,
});

function OrderRoute() {
  const { id } = Route.useParams();
  const { user } = Route.useRouteContext();
  return <OrderPage key={id} orderId={id} user={user} />;
}
