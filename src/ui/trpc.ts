import { QueryClient } from "@tanstack/react-query";
import type { TRPCLink } from "@trpc/client";
import { createTRPCQueryUtils, createTRPCReact, getQueryKey } from "@trpc/react-query";
import type { AppRouter } from "#server/router.ts";
import { isWorthRetrying } from "./errors.ts";

/** The store's procedures as hooks. */
export const trpc = createTRPCReact<AppRouter>();

/** The store's procedures outside components: for loaders and guards. */
export type StoreUtils = ReturnType<typeof createTRPCQueryUtils<AppRouter>>;

/** Calls procedures without keeping what they answered. */
export type StoreClient = ReturnType<typeof trpc.useUtils>["client"];

export type StoreLink = TRPCLink<AppRouter>;

/** The data layer of one browser tab, or of one page rendered on the server. */
export function createStoreData(link: StoreLink) {
  const queryClient = new QueryClient({
    defaultOptions: {
      // Without a network a request fails soon, instead of waiting for one behind 'Please wait'.
      queries: {
        networkMode: "always",
        staleTime: 60_000,
        retry: (failures, error) => failures < 2 && isWorthRetrying(error),
      },
      mutations: { networkMode: "always" },
    },
  });
  // Prices and opening hours are looked up again whenever a page, or the tab, is come back to.
  queryClient.setQueryDefaults(getQueryKey(trpc.shops), { staleTime: 5_000 });
  const client = trpc.createClient({ links: [link] });
  return { queryClient, client, utils: createTRPCQueryUtils<AppRouter>({ queryClient, client }) };
}
