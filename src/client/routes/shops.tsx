import { createFileRoute } from "@tanstack/react-router";
import { ShopFinder } from "../features/shops/shop-finder.tsx";
import { readShopQuery } from "../features/shops/shop-query.ts";
import { ShopsSkeleton } from "../features/shops/shops-skeleton.tsx";
import { ShopsTitle } from "../features/shops/shops-title.tsx";
import { pageHead } from "../lib/page-head.ts";

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
  return (
    <>
      <ShopsTitle />
      <ShopFinder initial={query} />
    </>
  );
}

function ShopsPending() {
  return (
    <>
      <ShopsTitle />
      <ShopsSkeleton />
    </>
  );
}
