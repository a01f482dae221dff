import { createFileRoute, useRouter } from "@tanstack/react-router";
import { isShopSort } from "#shared/shop-sorts.ts";
import { ShopFinder, type ShopQuery } from "../features/shops/shop-finder.tsx";
import { ShopsPending, ShopsTitle } from "../features/shops/shops-pending.tsx";
import { pageHead } from "../lib/page-head.ts";

/** Parses the URL's query; invalid parts are dropped. */
function readShopQuery({ q, sort }: Record<string, unknown>): ShopQuery {
  return {
    q: typeof q === "string" || typeof q === "number" ? String(q) : undefined,
    sort: isShopSort(sort) ? sort : undefined,
  };
}

export const Route = createFileRoute("/shops")({
  validateSearch: readShopQuery,
  loader: ({ context }) => context.utils.shops.page.prefetchInfinite({}),
  head: () =>
    pageHead({
      title: "Print shops near your college",
      description:
        "All print shops with their rating, cost per page and the price of a sample job. Search by name, place or college.",
    }),
  component: ShopsPage,
  pendingComponent: ShopsPending,
});

function ShopsPage() {
  const query = Route.useSearch();
  // Typing replaces the history entry; a link and Back lead to another one, and show its query.
  const entry = useRouter().history.location.state.__TSR_index;
  return (
    <>
      <ShopsTitle />
      <ShopFinder key={entry} initial={query} />
    </>
  );
}
