import { useEffect } from "react";
import { LIST_ROWS } from "#shared/schemas/paging.ts";

/** How many pages are fetched automatically. */
const PAGES_UNASKED = 10;

/** The state of an infinite query. */
interface SearchedList {
  data: { pages: { rows: unknown[] }[] } | undefined;
  hasNextPage: boolean;
  isFetching: boolean;
  isPlaceholderData: boolean;
  isError: boolean;
  fetchNextPage: () => unknown;
}

/**
 * Fetches more pages of a search until one page of rows is full: the server searches a limited number of rows per
 * request.
 */
export function useAutoFetch(list: SearchedList): void {
  const { data, hasNextPage, isFetching, isPlaceholderData, isError, fetchNextPage } = list;
  const pages = data?.pages ?? [];
  const rows = pages.reduce((sum, page) => sum + page.rows.length, 0);
  const isAtRest = !isFetching && !isPlaceholderData && !isError;
  const goesOn = hasNextPage && isAtRest && rows < LIST_ROWS && pages.length < PAGES_UNASKED;
  useEffect(() => {
    if (goesOn) fetchNextPage();
  }, [goesOn, fetchNextPage]);
}
