import type { createRequestHandler } from "@tanstack/react-router/ssr/server";
import type { ClientAssets } from "#server/pages/renderer.ts";

type RouterManifest = Awaited<
  ReturnType<NonNullable<Parameters<typeof createRequestHandler>[0]["getRouterManifest"]>>
>;

const ENTRY = "entry-client.tsx";
const ROOT_ID = "__root__";

/**
 * Tells the router which CSS each route needs, so that the page carries it, and which script starts a page. What that
 * one imports is not preloaded: asked for this early, it would take the line from what the page shows first.
 */
export function createRouteManifest({ script, styles, stylesOf }: ClientAssets): RouterManifest {
  const routes = Object.entries(stylesOf)
    .filter(([module]) => module.startsWith("routes/"))
    .map(([module, css]) => [routeIdOf(module), { css }]);
  const start = { attrs: { type: "module", async: true, fetchPriority: "low", src: script } };
  return {
    inlineCss: { styles },
    routes: {
      ...Object.fromEntries(routes),
      [ROOT_ID]: { scripts: [start], css: stylesOf[ENTRY] ?? [] },
    },
  };
}

/** By the naming of file routes: `routes/_guest/login.tsx` is `/_guest/login`, `routes/index.tsx` is `/`. */
function routeIdOf(module: string): string {
  return module
    .replace(/^routes/, "")
    .replace(/\.tsx$/, "")
    .replace(/\/index$/, "/");
}
