interface Pages {
  pages: unknown[];
}

/** An infinite query. */
export interface PagedList {
  data: Pages | undefined;
  fetchNextPage: (options: { cancelRefetch: boolean }) => Promise<{
    data: Pages | undefined;
    hasNextPage: boolean;
    isError: boolean;
  }>;
}

/**
 * Fetches the next page of a list, after a refetch that is under way. A refetch or a move meanwhile ends the request, which is
 * then sent again.
 */
export async function fetchMore(list: PagedList): Promise<void> {
  const shown = list.data?.pages.length ?? 0;
  while (true) {
    const { data, hasNextPage, isError } = await list.fetchNextPage({ cancelRefetch: false });
    if (isError || !hasNextPage || (data?.pages.length ?? 0) > shown) return;
    // What ended it has changed the list by then.
    await new Promise((resolve) => setTimeout(resolve));
  }
}
