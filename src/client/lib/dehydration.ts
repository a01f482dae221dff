import type { QueryClient, QueryKey } from "@tanstack/react-query";

/** What the server fetched for a page, as JSON text of query keys with their data. */
export interface DehydratedQueries {
  queries: string;
}

/**
 * Like React Query's own `dehydrate`, without the moments at which data came: with them no two renderings of a page
 * would be alike, and a page's ETag would never hold.
 */
export function dehydrateQueries(queryClient: QueryClient): DehydratedQueries {
  const queries = queryClient
    .getQueryCache()
    .findAll({ predicate: ({ state }) => state.status === "success" });
  return { queries: JSON.stringify(queries.map(({ queryKey, state }) => [queryKey, state.data])) };
}

export function hydrateQueries(queryClient: QueryClient, { queries }: DehydratedQueries): void {
  const entries: [QueryKey, unknown][] = JSON.parse(queries);
  for (const [queryKey, data] of entries) queryClient.setQueryData(queryKey, data);
}
