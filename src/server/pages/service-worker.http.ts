import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Hono } from "hono";
import { loadOnce } from "#shared/load-once.ts";
import type { Deps } from "../context.ts";
import type { Env } from "../http/request-context.ts";
import { DIST } from "./renderer.ts";

/** It fetches from its own origin only, and starts no other script. */
const POLICY = "default-src 'none'; connect-src 'self'";

/** Where other apps share files, which the service worker takes over. */
export const SHARE_TARGET = "/share-target";

/** Takes the service worker that a browser has, and all that it has kept, out of the browser. */
const REMOVAL = `self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(
  caches.keys()
    .then((names) => Promise.all(names.map((name) => caches.delete(name))))
    .then(() => self.registration.unregister())
));
`;

/**
 * Serves the service worker, which browsers ask for at every visit. Where it is switched off or was not built, its place is
 * taken by one that removes it.
 */
export function mountServiceWorker(app: Hono<Env>, { config }: Pick<Deps, "config">): void {
  const script = loadOnce(async () => (config.hasServiceWorker ? readWorker() : REMOVAL));
  app.get("/sw.js", async (c) => {
    const text = await script();
    const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
    const headers = {
      "Cache-Control": "no-cache",
      "Content-Type": "text/javascript; charset=utf-8",
      "Content-Security-Policy": POLICY,
      ETag: etag,
    };
    if (c.req.header("if-none-match")?.includes(etag)) return c.body(null, 304, headers);
    return c.body(text, 200, headers);
  });
  // Only a browser without the worker asks the server: what it sends is not read, and shared again.
  app.post(SHARE_TARGET, (c) => c.redirect("/shared?missed=1", 303));
}

async function readWorker(): Promise<string> {
  return readFile(join(DIST, "service-worker/sw.js"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return REMOVAL;
    throw error;
  });
}
