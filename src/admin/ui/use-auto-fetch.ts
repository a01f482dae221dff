import { useEffect } from "react";
import { LIST_ROWS } from "#shared/schemas/paging.ts";

/** So many pages are fetched without anybody asking for more. */
const PAGES_UNASKED = 10;

/** What an infinite query says about its list. */
interface SearchedList {
  data: { pages: { rows: unknown[] }[] } | undefined;
  hasNextPage: boolean;
  isFetching: boolean;
  isPlaceholderData: boolean;
  isError: boolean;
  fetchNextPage: () => unknown;
}

/** Goes on by itself with a search whose first pages hold less than one page's rows: the server looks through so much at once. */
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
