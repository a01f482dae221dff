import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Context as HonoContext } from "hono";
import type { ClientAssets, CreateRenderer, RenderPage } from "./pages.renderer.ts";

const DIST = resolve(import.meta.dirname, "../../../dist");
const CLIENT_DIR = join(DIST, "client");
const RENDERER = join(DIST, "server-render/entry-server.js");
const ENTRY = "entry-client.tsx";

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
  const assets = await readAssets();
  const module: { createRenderer: CreateRenderer } = await import(pathToFileURL(RENDERER).href);
  return module.createRenderer(assets);
}

/** One chunk in the manifest that Vite writes. */
interface Chunk {
  file: string;
  css?: string[];
  imports?: string[];
}
type Manifest = Record<string, Chunk>;

async function readAssets(): Promise<ClientAssets> {
  const manifest: Manifest = JSON.parse(await readFile(join(CLIENT_DIR, ".vite/manifest.json"), "utf8"));
  const stylesOf: Record<string, string[]> = {};
  for (const key of Object.keys(manifest)) {
    const [module = key] = key.split("?");
    stylesOf[module] = [...new Set([...(stylesOf[module] ?? []), ...stylesBelow(manifest, key)])];
  }
  const paths = new Set(Object.values(stylesOf).flat());
  const styles = await Promise.all(
    [...paths].map(async (path) => [path, await readFile(join(CLIENT_DIR, path), "utf8")] as const),
  );
  return {
    script: `/${manifest[ENTRY]?.file}`,
    styles: Object.fromEntries(styles),
    stylesOf,
  };
}

/** The CSS of a chunk and of what it imports at once. */
function stylesBelow(manifest: Manifest, key: string, seen = new Set<string>()): string[] {
  const chunk = manifest[key];
  if (!chunk || seen.has(key)) return [];
  seen.add(key);
  const imported = (chunk.imports ?? []).flatMap((name) => stylesBelow(manifest, name, seen));
  return [...imported, ...(chunk.css ?? []).map((file) => `/${file}`)];
}
