import { type QueryClient, QueryClientProvider, type QueryKey } from "@tanstack/react-query";
import { createRouter } from "@tanstack/react-router";
import { createStoreData, type StoreLink, type StoreUtils, trpc } from "#ui/trpc.ts";
import { routeTree } from "./routeTree.gen.ts";
import { CrashPage, NotFoundPage } from "./ui/notice.tsx";

/** What guards and loaders of routes can use. */
export interface RouterContext {
  utils: StoreUtils;
  queryClient: QueryClient;
  /** The public origin, such as `https://print.example`. */
  origin: string;
}

interface StoreRouterOptions {
  link: StoreLink;
  origin: string;
  /** The page's CSP nonce, on the server; the browser reads it from the page. */
  nonce?: string;
  /** On the server: paths of the stylesheets that the page contains, given the ids of its routes. */
  stylesOf?: (routeIds: string[]) => string[];
}

/** The storefront's router and its data layer: one per browser tab, and one per page rendered on the server. */
export function createStoreRouter({ link, origin, nonce, stylesOf }: StoreRouterOptions) {
  const { queryClient, client, utils } = createStoreData(link);
  const router = createRouter({
    routeTree,
    context: { utils, queryClient, origin },
    ssr: { nonce },
    defaultPreload: "intent",
    defaultPreloadStaleTime: 0,
    defaultPendingMs: 300,
    defaultPendingMinMs: 0,
    scrollRestoration: afterFirstPage(),
    scrollRestorationBehavior: "instant",
    defaultErrorComponent: CrashPage,
    defaultNotFoundComponent: NotFoundPage,
    dehydrate: (): DehydratedPage => ({
      queries: dehydrateQueries(queryClient),
      styles: stylesOf?.(router.state.matches.map(({ routeId }) => routeId)) ?? [],
    }),
    hydrate: ({ queries, styles }: DehydratedPage) => {
      hydrateQueries(queryClient, queries);
      markLoaded(styles);
    },
    Wrap: ({ children }) => (
      <trpc.Provider client={client} queryClient={queryClient}>
        <QueryClientProvider client={queryClient}>{children}</QueryClientProvider>
      </trpc.Provider>
    ),
  });
  return router;
}

/** Restores scroll positions except on the first page, which somebody may have scrolled before hydration. */
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

interface DehydratedPage {
  /** What the server fetched for the page, as JSON of query keys and their data. */
  queries: string;
  /** Paths of the stylesheets that the page contains. */
  styles: string[];
}

/** Like React Query's `dehydrate` without timestamps, which would give every rendering of a page another ETag. */
function dehydrateQueries(queryClient: QueryClient): string {
  const queries = queryClient
    .getQueryCache()
    .findAll({ predicate: ({ state }) => state.status === "success" });
  return JSON.stringify(queries.map(({ queryKey, state }) => [queryKey, state.data]));
}

function hydrateQueries(queryClient: QueryClient, queries: string): void {
  const entries: [QueryKey, unknown][] = JSON.parse(queries);
  for (const [queryKey, data] of entries) queryClient.setQueryData(queryKey, data);
}

/** Vite loads the stylesheets of a chunk before the chunk, unless the page has links to them; these load nothing. */
function markLoaded(styles: string[]): void {
  for (const href of styles) {
    const link = document.createElement("link");
    Object.assign(link, { rel: "stylesheet", disabled: true, href });
    document.head.append(link);
  }
}
