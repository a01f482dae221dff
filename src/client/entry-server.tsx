import { createRequestHandler, defaultRenderHandler } from "@tanstack/react-router/ssr/server";
import { unstable_localLink } from "@trpc/client";
import type { CreateRenderer, PageRequest, RenderedPage } from "#server/pages/renderer.ts";
import type { AppRouter } from "#server/router.ts";
import { fetchUser } from "./lib/session.ts";
import { createRouteManifest } from "./route-manifest.ts";
import { createStoreRouter, type StoreRouter } from "./router.tsx";

export const createRenderer: CreateRenderer = (assets) => {
  const manifest = createRouteManifest(assets);
  return async (page) => {
    const router = await createPageRouter(page);
    const handle = createRequestHandler({
      request: new Request(page.url),
      createRouter: () => router,
      getRouterManifest: async () => manifest,
    });
    return toRenderedPage(await handle(defaultRenderHandler));
  };
};

async function createPageRouter({ url, appRouter, context, nonce }: PageRequest): Promise<StoreRouter> {
  const link = unstable_localLink<AppRouter>({ router: appRouter, createContext: async () => context });
  const router = createStoreRouter({ link, origin: new URL(url).origin, nonce });
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
