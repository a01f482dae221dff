import { createFileRoute } from "@tanstack/react-router";
import { ShopFinder } from "#client/features/shops/shop-finder.tsx";
import { readShopQuery } from "#client/features/shops/shop-search.ts";
import { ShopsTitle } from "#client/features/shops/shops-title.tsx";
import { ShopsUnreachable } from "#client/features/shops/shops-unreachable.tsx";
import { ShopsWaiting } from "#client/features/shops/shops-waiting.tsx";
import { pageHead } from "#client/lib/page-head.ts";
import { trpc } from "#client/lib/trpc.ts";

export const Route = createFileRoute("/shops")({
  validateSearch: readShopQuery,
  loader: ({ context }) => context.utils.shops.list.prefetch(),
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
  const shops = trpc.shops.list.useQuery();
  const query = Route.useSearch();
  return (
    <>
      <ShopsTitle />
      {shops.data && <ShopFinder shops={shops.data} initial={query} />}
      {shops.isPending && <ShopsWaiting />}
      {shops.isError && !shops.data && <ShopsUnreachable onRetry={shops.refetch} />}
    </>
  );
}

function ShopsPending() {
  return (
    <>
      <ShopsTitle />
      <ShopsWaiting />
    </>
  );
}
