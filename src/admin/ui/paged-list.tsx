import { Button, Center } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { LIST_ROWS } from "#shared/schemas/paging.ts";
import { codeOf } from "#ui/errors.ts";
import { fetchMore, type PagedList } from "#ui/fetch-more.ts";
import classes from "./paged-list.module.css";
import { Loader, QueryFailure, ScreenMessage } from "./screen.tsx";

/** The state of an infinite query. */
interface ListQuery extends PagedList {
  isPending: boolean;
  error: unknown;
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  refetch: () => unknown;
}

interface ListStatesProps {
  query: ListQuery;
  isEmpty: boolean;
  /** Shown instead of an empty list. */
  empty: { title: string; text: string };
  children: ReactNode;
}

/** A paged list, or its loading, error or empty state. */
export function ListStates({ query, isEmpty, empty, children }: ListStatesProps) {
  if (query.isPending) return <Loader />;
  if (query.error && (isEmpty || codeOf(query.error) === "NOT_FOUND"))
    return <QueryFailure title="This could not be loaded" query={query} />;
  if (isEmpty && query.hasNextPage) {
    return (
      <ScreenMessage title="Nothing found so far" text="Older entries have not been searched yet.">
        <MoreButton query={query}>Search older entries</MoreButton>
      </ScreenMessage>
    );
  }
  if (isEmpty) return <ScreenMessage {...empty} />;
  return (
    <>
      {children}
      {query.error !== null && <QueryFailure title="Not everything could be loaded" query={query} />}
      {query.error === null && query.hasNextPage && (
        <Center mt="md">
          <MoreButton query={query}>Show more</MoreButton>
        </Center>
      )}
    </>
  );
}

interface MoreButtonProps {
  query: Pick<ListQuery, "isFetchingNextPage" | keyof PagedList>;
  children: ReactNode;
}

/** Fetches the next page of a list. */
export function MoreButton({ query, children }: MoreButtonProps) {
  return (
    <Button variant="default" loading={query.isFetchingNextPage} onClick={() => fetchMore(query)}>
      {children}
    </Button>
  );
}

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

/** A list with lines between its rows. Its children are `li`. @param label the accessible name */
export function Rows({ label, children }: { label: string; children: ReactNode }) {
  return (
    <ul aria-label={label} className={classes.rows}>
      {children}
    </ul>
  );
}
