import { createRequestHandler, defaultRenderHandler } from "@tanstack/react-router/ssr/server";
import { unstable_localLink } from "@trpc/client";
import type { ClientAssets, CreateRenderer, PageRequest, RenderedPage } from "#server/pages/renderer.ts";
import type { AppRouter } from "#server/router.ts";
import { fetchUser } from "./lib/session.ts";
import { createStoreRouter, type StoreRouter } from "./router.tsx";

export const createRenderer: CreateRenderer = (assets) => {
  const manifest = createRouteManifest(assets);
  return async (page) => {
    let isComplete = true;
    const router = await createPageRouter(page, assets, () => {
      isComplete = false;
    });
    const handle = createRequestHandler({
      request: new Request(page.url),
      createRouter: () => router,
      getRouterManifest: async () => manifest,
    });
    const rendered = await toRenderedPage(await handle(defaultRenderHandler));
    // The browser asks again for what is missing; no cache and no search engine may keep the page as it is.
    return rendered.status === 200 && !isComplete ? { ...rendered, status: 503 } : rendered;
  };
};

/** @param onFailure called when the server fails to answer a call of the page */
async function createPageRouter(
  { url, appRouter, context, nonce }: PageRequest,
  assets: ClientAssets,
  onFailure: () => void,
): Promise<StoreRouter> {
  const link = unstable_localLink<AppRouter>({
    router: appRouter,
    createContext: async () => context,
    onError: ({ error: { code } }) => {
      if (code === "INTERNAL_SERVER_ERROR" || code === "SERVICE_UNAVAILABLE") onFailure();
    },
  });
  const router = createStoreRouter({
    link,
    origin: new URL(url).origin,
    nonce,
    stylesOf: (routeIds) => stylesOf(assets, routeIds),
  });
  await fetchUser(router.options.context.utils);
  return router;
}

async function toRenderedPage(response: Response): Promise<RenderedPage> {
  return {
    status: response.status,
    location: response.headers.get("location"),
    html: await response.text(),
  };
}

function stylesOf(assets: ClientAssets, routeIds: string[]): string[] {
  const modules = Object.keys(assets.stylesOf).filter((module) => routeIds.includes(routeIdOf(module)));
  return [...new Set([ENTRY, ...modules].flatMap((module) => assets.stylesOf[module] ?? []))];
}

type RouterManifest = Awaited<
  ReturnType<NonNullable<Parameters<typeof createRequestHandler>[0]["getRouterManifest"]>>
>;

const ENTRY = "entry-client.tsx";
const ROOT_ID = "__root__";

/**
 * The CSS of each route, to be inlined, and its scripts, to be preloaded with low priority: on a slow network each
 * import that is found only in a loaded script costs another round trip.
 */
function createRouteManifest({ script, styles, stylesOf, scriptsOf }: ClientAssets): RouterManifest {
  const routes = Object.entries(stylesOf)
    .filter(([module]) => module.startsWith("routes/"))
    .map(([module, css]) => [routeIdOf(module), { css, preloads: scriptsOf[module] ?? [] }]);
  const start = { attrs: { type: "module", async: true, fetchPriority: "low", src: script } };
  return {
    inlineCss: { styles },
    routes: {
      ...Object.fromEntries(routes),
      [ROOT_ID]: {
        scripts: [start],
        css: stylesOf[ENTRY] ?? [],
        preloads: [script, ...(scriptsOf[ENTRY] ?? [])],
      },
    },
  };
}

/** The id of a file route: `routes/_guest/login.tsx` is `/_guest/login`, `routes/index.tsx` is `/`. */
function routeIdOf(module: string): string {
  return module
    .replace(/^routes/, "")
    .replace(/\.tsx$/, "")
    .replace(/\/index$/, "/");
}
