import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Context as HonoContext } from "hono";
import { loadOnce } from "#shared/load-once.ts";
import type { Context } from "../context.ts";
import type { AppRouter } from "../router.ts";

/** One page to render: who asks for what. */
export interface PageRequest {
  /** Full URL of the page, under the store's own origin. */
  url: string;
  /** Put on every inline script and style. */
  nonce: string;
  /** The router and context by which the page calls the store's procedures in process. */
  appRouter: AppRouter;
  context: Context;
}

export interface RenderedPage {
  status: number;
  /** Where to go instead, for a redirect. */
  location: string | null;
  html: string;
}

/** The files of the client build that a page needs. Their paths are as browsers ask for them. */
export interface ClientAssets {
  /** The script that starts a page. */
  script: string;
  /** Text of each stylesheet by its path. */
  styles: Record<string, string>;
  /** Stylesheets of each module of the client and of what it imports, by the module's path under `src/client`. */
  stylesOf: Record<string, string[]>;
  /** Scripts of the entry and of each route's component with what they import, beside `script`, by the same paths. */
  scriptsOf: Record<string, string[]>;
}

type RenderPage = (page: PageRequest) => Promise<RenderedPage>;

/** What the module in `dist/server-render` exports; the client's entry-server implements it. */
export type CreateRenderer = (assets: ClientAssets) => RenderPage;

export const DIST = resolve(import.meta.dirname, "../../../dist");
/** For files whose names change with their content. */
export const FOREVER = "public, max-age=31536000, immutable";
const CLIENT_DIR = join(DIST, "client");
const RENDERER = join(DIST, "server-render/entry-server.js");

interface Build {
  /** Answers with a file of the client build, compressed when it was; null when there is no such file. */
  serveFile(c: HonoContext): Promise<Response | null>;
  /** Renders pages; loaded once. Rejects while the front end is not built. */
  renderer(): Promise<RenderPage>;
}

/** What the Vite build of the storefront left in `dist`. */
export function openBuild(): Build {
  const fileServer = existsSync(CLIENT_DIR) ? serveStatic({ root: CLIENT_DIR, precompressed: true }) : null;
  return {
    async serveFile(c) {
      if (!fileServer || c.req.path === "/" || c.req.path.includes("/.")) return null;
      const answer = await fileServer(c, async () => {});
      return answer instanceof Response ? answer : null;
    },
    renderer: loadOnce(loadRenderer),
  };
}

async function loadRenderer(): Promise<RenderPage> {
  const assets = await readClientAssets(CLIENT_DIR);
  const module: { createRenderer: CreateRenderer } = await import(pathToFileURL(RENDERER).href);
  return module.createRenderer(assets);
}

const ENTRY = "entry-client.tsx";

/** One chunk in the manifest that Vite writes. */
interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
}
type Manifest = Record<string, Chunk>;

/** Reads from the build in `clientDir` what each page needs. */
async function readClientAssets(clientDir: string): Promise<ClientAssets> {
  const manifest: Manifest = JSON.parse(await readFile(join(clientDir, ".vite/manifest.json"), "utf8"));
  const stylesOf: Record<string, string[]> = {};
  for (const key of Object.keys(manifest)) {
    // The parts of a route are chunks of their own, told apart by a query.
    const [module = key] = key.split("?");
    stylesOf[module] = [...new Set([...(stylesOf[module] ?? []), ...stylesBelow(manifest, key)])];
  }
  const paths = new Set(Object.values(stylesOf).flat());
  const styles = await Promise.all(
    [...paths].map(async (path) => [path, await readFile(join(clientDir, path), "utf8")] as const),
  );
  return {
    script: `/${manifest[ENTRY]?.file}`,
    styles: Object.fromEntries(styles),
    stylesOf,
    scriptsOf: readScripts(manifest),
  };
}

/** What the router's plugin adds to the path of a route for the chunk that has its component. */
const COMPONENT = "?tsr-split=component";

function readScripts(manifest: Manifest): Record<string, string[]> {
  const [start = "", ...initial] = scriptsBelow(manifest, ENTRY);
  const known = new Set([start, ...initial]);
  const routes = Object.keys(manifest).filter((key) => key.includes(COMPONENT));
  return {
    [ENTRY]: initial,
    ...Object.fromEntries(
      routes.map((key) => [
        key.slice(0, key.indexOf(COMPONENT)),
        scriptsBelow(manifest, key).filter((script) => !known.has(script)),
      ]),
    ),
  };
}

/** The script of a chunk and those of what it imports at once. */
function scriptsBelow(manifest: Manifest, key: string, seen = new Set<string>()): string[] {
  const chunk = manifest[key];
  if (!chunk || seen.has(key)) return [];
  seen.add(key);
  return [`/${chunk.file}`, ...(chunk.imports ?? []).flatMap((name) => scriptsBelow(manifest, name, seen))];
}

/** The CSS of a chunk and of what it imports at once; what is imported stands first. */
function stylesBelow(manifest: Manifest, key: string, seen = new Set<string>()): string[] {
  const chunk = manifest[key];
  if (!chunk || seen.has(key)) return [];
  seen.add(key);
  const imported = (chunk.imports ?? []).flatMap((name) => stylesBelow(manifest, name, seen));
  return [...imported, ...(chunk.css ?? []).map((file) => `/${file}`)];
}
