import { createFileRoute } from "@tanstack/react-router";
import { CounterPage } from "../../features/counter/counter-page.tsx";
import { pageHead } from "../../lib/page-head.ts";

/** A shop's counter, which people open by the QR code on its screen or wall. */
export const Route = createFileRoute("/at/$shopId")({
  validateSearch: ({ code }: Record<string, unknown>): { code?: string } =>
    typeof code === "string" ? { code } : {},
  loader: ({ context: { utils }, params: { shopId } }) =>
    Promise.all([
      utils.visits.page.prefetch({ shopId }),
      utils.shops.byId.prefetch({ id: shopId }),
      utils.files.formats.prefetch(undefined, { retry: false }),
    ]),
  head: () =>
    pageHead({
      title: "At the counter",
      description: "Choose your files, see the price and pay at the counter, without an account.",
    }),
  component: AtShop,
});

function AtShop() {
  const { shopId } = Route.useParams();
  const { code } = Route.useSearch();
  return <CounterPage key={shopId} shopId={shopId} code={code} />;
}
