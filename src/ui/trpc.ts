import { notifyManager, QueryClient } from "@tanstack/react-query";
import type { TRPCLink } from "@trpc/client";
import { createTRPCQueryUtils, createTRPCReact, getQueryKey } from "@trpc/react-query";
import type { inferRouterOutputs } from "@trpc/server";
import type { AppRouter } from "#server/router.ts";
import { isWorthRetrying } from "./errors.ts";

// What a press starts is drawn before the next press: by the default, a timer, two quick presses on a slow device start it twice.
notifyManager.setScheduler(queueMicrotask);

/** What the server's procedures answer. */
export type RouterOutputs = inferRouterOutputs<AppRouter>;

/** tRPC hooks. */
export const trpc = createTRPCReact<AppRouter>();

/** tRPC utils outside components, for loaders and guards. */
export type StoreUtils = ReturnType<typeof createTRPCQueryUtils<AppRouter>>;

/** Calls procedures without the query cache. */
export type StoreClient = ReturnType<typeof trpc.useUtils>["client"];

export type StoreLink = TRPCLink<AppRouter>;

/** The data layer of a browser tab, or of a page rendered on the server. */
export function createStoreData(link: StoreLink) {
  const queryClient = new QueryClient({
    defaultOptions: {
      // Offline requests fail at once, instead of waiting behind 'Please wait'.
      queries: {
        networkMode: "always",
        staleTime: 60_000,
        retry: (failures, error) => failures < 2 && isWorthRetrying(error),
      },
      mutations: { networkMode: "always" },
    },
  });
  // Prices and opening hours are refetched whenever somebody returns to a page or the tab.
  queryClient.setQueryDefaults(getQueryKey(trpc.shops), { staleTime: 5_000 });
  const client = trpc.createClient({ links: [link] });
  return { queryClient, client, utils: createTRPCQueryUtils<AppRouter>({ queryClient, client }) };
}
