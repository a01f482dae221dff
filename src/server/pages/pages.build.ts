import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Context as HonoContext } from "hono";
import { readClientAssets } from "./pages.assets.ts";
import type { CreateRenderer, RenderPage } from "./pages.renderer.ts";

export const DIST = resolve(import.meta.dirname, "../../../dist");
/** For files whose names change with their content. */
export const FOREVER = "public, max-age=31536000, immutable";
const CLIENT_DIR = join(DIST, "client");
const RENDERER = join(DIST, "server-render/entry-server.js");

export interface Build {
  /** Answers with a file of the client build, compressed when it was; null when there is no such file. */
  serveFile(c: HonoContext): Promise<Response | null>;
  /** Renders pages; loaded once. Rejects while the front end is not built. */
  renderer(): Promise<RenderPage>;
}

/** What the Vite build of the storefront left in `dist`. */
export function openBuild(): Build {
  const fileServer = existsSync(CLIENT_DIR) ? serveStatic({ root: CLIENT_DIR, precompressed: true }) : null;
  let renderer: Promise<RenderPage> | undefined;
  return {
    async serveFile(c) {
      if (!fileServer || c.req.path === "/" || c.req.path.includes("/.")) return null;
      const answer = await fileServer(c, async () => {});
      return answer instanceof Response ? answer : null;
    },
    renderer() {
      renderer ??= loadRenderer();
      return renderer;
    },
  };
}

async function loadRenderer(): Promise<RenderPage> {
  const assets = await readClientAssets(CLIENT_DIR);
  const module: { createRenderer: CreateRenderer } = await import(pathToFileURL(RENDERER).href);
  return module.createRenderer(assets);
}
