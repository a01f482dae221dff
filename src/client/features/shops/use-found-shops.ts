import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, skipToken } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ShopCard, ShopPage } from "#shared/schemas/shops.ts";
import { findShops, type SearchableShop, sortShops, toSearchable } from "#shared/shop-search.ts";
import type { ShopSort } from "#shared/shop-sorts.ts";
import { trpc } from "#ui/trpc.ts";

/** The URL's search words and sort order; by default all shops as listed. */
export interface ShopQuery {
  q?: string | undefined;
  sort?: ShopSort | undefined;
}

/** Debounce of the search field. */
const PAUSE_MS = 200;

interface FoundShops {
  shops: ShopCard[];
  /** The number of all shops found, fetched or not. */
  total: number;
  /** Fetches the next page, if there is one. */
  showMore?: (() => void) | false;
  isFetchingMore?: boolean;
  isMoreError?: boolean;
}

/**
 * The shops of a query. If all shops fit into one page, the search runs in the browser at every key; otherwise on
 * the server. `found` is undefined until the first answer.
 */
export function useFoundShops(query: ShopQuery) {
  const { q = "", sort = "listed" } = useDebouncedValue(query, PAUSE_MS)[0];
  const all = trpc.shops.page.useInfiniteQuery({}, { getNextPageParam: (page) => page.next });
  const first = all.data?.pages[0];
  const isWhole = first !== undefined && first.next === null;
  const isNarrowed = first !== undefined && !isWhole && (q !== "" || sort !== "listed");
  const asked = trpc.shops.page.useInfiniteQuery(isNarrowed ? { search: q, sort } : skipToken, {
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });
  const local = useMemo(() => (isWhole ? first.shops.map(toSearchable) : []), [isWhole, first]);
  // Shows the previous shops until the server has answered.
  const shown = isNarrowed && (asked.data || asked.isError) ? asked : all;
  return {
    found: isWhole ? findLocally(local, query) : toFound(shown),
    isError: shown.isError,
    retry: () => void shown.refetch(),
  };
}

function findLocally(shops: readonly SearchableShop[], { q = "", sort = "listed" }: ShopQuery): FoundShops {
  const found = findShops(sortShops(shops, sort), q);
  return { shops: found, total: found.length };
}

interface PagesOfShops {
  data: { pages: ShopPage[] } | undefined;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage(): unknown;
  refetch(): Promise<unknown>;
}

function toFound(pages: PagesOfShops): FoundShops | undefined {
  const fetched = pages.data?.pages ?? [];
  const [first] = fetched;
  if (!first) return undefined;
  return {
    shops: fetched.flatMap(({ shops }) => shops),
    total: first.total,
    showMore: pages.hasNextPage && (() => void showMore(pages)),
    isFetchingMore: pages.isFetchingNextPage,
    isMoreError: pages.isFetchNextPageError,
  };
}

/** Not by `fetchMore` of #ui, for which the page of orders would load a chunk that it shares with this one. */
async function showMore(pages: PagesOfShops): Promise<void> {
  // The cursor may name a deleted shop; then the list is fetched from the start.
  if (pages.isFetchNextPageError) await pages.refetch();
  await pages.fetchNextPage();
}
