import { type DehydratedState, dehydrate, hydrate, type QueryClient } from "@tanstack/react-query";

/** The server's answers, as text that travels in the page. */
export interface DehydratedQueries {
  queries: string;
}

export function dehydrateQueries(queryClient: QueryClient): DehydratedQueries {
  return { queries: JSON.stringify(dehydrate(queryClient)) };
}

export function hydrateQueries(queryClient: QueryClient, { queries }: DehydratedQueries): void {
  const state: DehydratedState = JSON.parse(queries);
  hydrate(queryClient, state);
}
