import { QueryClientProvider } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { createStoreData, type StoreLink, type StoreUtils, trpc } from "#ui/trpc.ts";
import { dehydrateQueries, hydrateQueries } from "./lib/dehydration.ts";
import { routeTree } from "./routeTree.gen.ts";
import { CrashPage } from "./ui/crash-page.tsx";
import { NotFoundPage } from "./ui/not-found-page.tsx";

/** What every route's guard and loader can use. */
export interface RouterContext {
  utils: StoreUtils;
  /** Under which people reach the store, as in `https://print.example`. */
  origin: string;
}

interface StoreRouterOptions {
  link: StoreLink;
  origin: string;
  /** The page's CSP nonce, on the server; the browser reads it from the page. */
  nonce?: string;
}

/** The storefront's router with its own data layer; one per browser tab, and one per page that the server renders. */
export function createStoreRouter({ link, origin, nonce }: StoreRouterOptions) {
  const { queryClient, client, utils } = createStoreData(link);
  return createRouter({
    routeTree,
    context: { utils, origin },
    ssr: { nonce },
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 300,
    defaultPendingMinMs: 0,
    scrollRestoration: afterFirstPage(),
    scrollRestorationBehavior: "instant",
    defaultErrorComponent: CrashPage,
    defaultNotFoundComponent: NotFoundPage,
    dehydrate: () => dehydrateQueries(queryClient),
    hydrate: (state) => hydrateQueries(queryClient, state),
    Wrap: ({ children }) => (
      <trpc.Provider client={client} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
      </trpc.Provider>
    ),
  });
}

/** The page that the server rendered is left where a person has scrolled it to meanwhile; later ones begin at their top. */
function afterFirstPage(): () => boolean {
  let isFirst = true;
  return () => {
    const isLater = !isFirst;
    isFirst = false;
    return isLater;
  };
}

export type StoreRouter = ReturnType<typeof createStoreRouter>;

declare module "@tanstack/react-router" {
  interface Register {
    router: StoreRouter;
  }
}
