import { createFileRoute } from "@tanstack/react-router";
import { ShopFinder } from "#client/features/shops/shop-finder.tsx";
import { readShopQuery } from "#client/features/shops/shop-search.ts";
import { ShopsUnreachable } from "#client/features/shops/shops-unreachable.tsx";
import { ShopsWaiting } from "#client/features/shops/shops-waiting.tsx";
import { pageHead } from "#client/lib/page-head.ts";
import { trpc } from "#client/lib/trpc.ts";
import { PageTitle } from "#client/ui/page-title.tsx";

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
});

function ShopsPage() {
  const shops = trpc.shops.list.useQuery();
  const query = Route.useSearch();
  return (
    <>
      <PageTitle lead="Compare prices, pick a shop, and upload your file there.">
        Print shops near your college
      </PageTitle>
      {shops.data && <ShopFinder shops={shops.data} initial={query} />}
      {shops.isPending && <ShopsWaiting />}
      {shops.isError && !shops.data && <ShopsUnreachable onRetry={shops.refetch} />}
    </>
  );
}
