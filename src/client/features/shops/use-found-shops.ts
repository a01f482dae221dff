import { useDebouncedValue } from "@mantine/hooks";
import { keepPreviousData, skipToken } from "@tanstack/react-query";
import { useMemo } from "react";
import type { ShopCard, ShopPage } from "#shared/schemas/shops.ts";
import { type FindableShop, findShops, inOrder, toFindable } from "#shared/shop-search.ts";
import { trpc } from "#ui/trpc.ts";
import type { ShopQuery } from "./shop-query.ts";

/** How long typing has to pause before the server is asked. */
const PAUSE_MS = 200;

interface FoundShops {
  shops: ShopCard[];
  /** How many there are beside those that are at hand, too. */
  total: number;
  /** Has more of them fetched; null where all are at hand. */
  showMore: (() => void) | null;
  isFetchingMore: boolean;
}

/**
 * The shops that a query asks for. Where one page holds all shops of the store, they are looked through in the browser, at
 * every letter; where there are more, the server is asked. `found` is undefined until there are any.
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
  const local = useMemo(() => (isWhole ? first.shops.map(toFindable) : []), [isWhole, first]);
  // Until the server has answered for the first time, what was there stays there.
  const shown = isNarrowed && (asked.data || asked.isError) ? asked : all;
  return {
    found: isWhole ? findLocally(local, query) : toFound(shown),
    isError: shown.isError,
    retry: () => void shown.refetch(),
  };
}

function findLocally(shops: readonly FindableShop[], { q = "", sort = "listed" }: ShopQuery): FoundShops {
  const found = findShops(inOrder(shops, sort), q);
  return { shops: found, total: found.length, showMore: null, isFetchingMore: false };
}

interface PagesOfShops {
  data: { pages: ShopPage[] } | undefined;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  fetchNextPage(): unknown;
  refetch(): unknown;
}

function toFound(pages: PagesOfShops): FoundShops | undefined {
  const fetched = pages.data?.pages ?? [];
  const [first] = fetched;
  if (!first) return undefined;
  return {
    shops: fetched.flatMap(({ shops }) => shops),
    total: first.total,
    // A page that cannot be had may be behind a shop that is gone: then all are fetched again.
    showMore: pages.hasNextPage
      ? () => void (pages.isFetchNextPageError ? pages.refetch() : pages.fetchNextPage())
      : null,
    isFetchingMore: pages.isFetchingNextPage,
  };
}
