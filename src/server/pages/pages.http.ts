import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Hono, Context as HonoContext } from "hono";
import { etag } from "hono/etag";
import { loadOnce } from "#shared/load-once.ts";
import type { Context, Deps } from "../context.ts";
import { isForLog, STATUS, toAppError } from "../errors.ts";
import type { ContextOf, Env } from "../http/request-context.ts";
import { MAIL_STYLE_SOURCE } from "../mail/rendering.ts";
import { appRouter } from "../router.ts";
import { drawNonce, PageResponse } from "./page-response.ts";
import { DIST, FOREVER, openBuild, type RenderedPage } from "./renderer.ts";

const AN_HOUR = "public, max-age=3600";

/** Serves the storefront: the files of its build, and every other path as a page rendered here. Mount it last. */
export function mountPages(app: Hono<Env>, deps: Deps, contextOf: ContextOf): void {
  const build = openBuild();
  /** Public pages as all guests see them, each of one version of the catalogue. */
  const guestPages = new Map<string, { version: number; page: PageResponse }>();

  mountServiceWorker(app, deps);
  app.get("/robots.txt", (c) => c.text(robotsText(deps.publicUrl())));
  app.get("/sitemap.xml", (c) =>
    c.body(sitemapXml(deps.publicUrl()), 200, { "Content-Type": "application/xml; charset=utf-8" }),
  );
  app.get("/assets/*", async (c) => {
    c.header("Cache-Control", FOREVER);
    return (await build.serveFile(c)) ?? c.text("Not found", 404, { "Cache-Control": "no-store" });
  });
  app.on("GET", PUBLIC_PATHS, (c) => answer(c, { isPublic: true }));
  app.get("*", async (c) => {
    c.header("Cache-Control", AN_HOUR);
    return (await build.serveFile(c)) ?? answer(c, { isPublic: false });
  });

  /** Answers with a page: with that of errors where it cannot be made, also because the database does not answer. */
  async function answer(c: HonoContext, { isPublic }: { isPublic: boolean }): Promise<Response> {
    try {
      const context = await contextOf(c);
      const { kind } = context.actor;
      const isPersonal = isPublic ? kind === "user" : kind !== "guest";
      const isShared = isPublic && !isPersonal && !c.req.url.includes("?");
      const page = isShared ? await guestPage(c, context) : await render(c, context);
      nameViewer(c, context);
      return await page.send(c, { isPersonal });
    } catch (error) {
      const appError = toAppError(error);
      if (isForLog(appError))
        deps.log.error({ err: error, requestId: c.get("requestId") }, "page could not be rendered");
      const page = { ...BROKEN_PAGE, status: STATUS[appError.code].http };
      return new PageResponse(page, { nonce: drawNonce() }).send(c);
    }
  }

  async function guestPage(c: HonoContext, context: Context): Promise<PageResponse> {
    // Read before the page is rendered: a change meanwhile makes it a page of an older version.
    const version = await deps.catalogue.version();
    const cached = guestPages.get(c.req.path);
    if (cached?.version === version) return cached.page;
    const page = await render(c, context);
    if (page.status === 200) guestPages.set(c.req.path, { version, page });
    return page;
  }

  async function render(c: HonoContext, context: Context): Promise<PageResponse> {
    const { pathname, search } = new URL(c.req.url);
    const nonce = drawNonce();
    const url = `${deps.publicUrl()}${pathname}${search}`;
    const renderPage = await build.renderer();
    return new PageResponse(await renderPage({ url, nonce, appRouter, context }), { nonce });
  }
}

/** Tells the service worker whom the page is rendered for, so that it shows its copy to nobody else. */
function nameViewer(c: HonoContext, { actor }: Context): void {
  if (actor.kind === "user") c.header("Page-Viewer", actor.user._id);
}

const BROKEN_PAGE: Omit<RenderedPage, "status"> = {
  location: null,
  html: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Print Store</title><h1>Unexpected Application Error!</h1><p>Please try again in a moment.</p></html>`,
};

/** What stands for the nonce in the console's page; the console's Vite config has it too. */
const BUILT_NONCE = "__CSP_NONCE__";

/** Serves the staff console: the files of its build, and its one page at every other path below `/admin`. */
export function mountConsole(app: Hono<Env>): void {
  const page = loadOnce(() => readFile(join(DIST, "admin/index.html"), "utf8"));

  if (existsSync(DIST)) app.get("/admin/assets/*", serveAssets());
  app.get("/admin/assets/*", (c) => c.text("Not found", 404, { "Cache-Control": "no-store" }));
  app.on("GET", ["/admin", "/admin/*"], async (c) => {
    const nonce = drawNonce();
    const html = (await page()).replaceAll(BUILT_NONCE, nonce);
    // Mails are shown in a frame, which takes the page's policy over.
    const options = { nonce, styleSource: MAIL_STYLE_SOURCE };
    return new PageResponse({ status: 200, location: null, html }, options).send(c);
  });
}

function serveAssets() {
  return serveStatic({
    root: DIST,
    precompressed: true,
    onFound: (_path, c) => c.header("Cache-Control", FOREVER),
  });
}

/** The pages that search engines may list. */
const PUBLIC_PATHS = [
  "/",
  "/shops",
  "/how-it-works",
  "/about-us",
  "/contact-us",
  "/faq",
  "/support",
  "/login",
  "/signup",
  "/terms-and-conditions",
  "/privacy-policy",
  "/refund-and-cancellation",
];

function robotsText(origin: string): string {
  return [
    "User-agent: *",
    "Disallow: /api/",
    "Disallow: /admin",
    "Disallow: /at/",
    "Disallow: /printnow",
    "Disallow: /printorder",
    "",
    `Sitemap: ${origin}/sitemap.xml`,
    "",
  ].join("\n");
}

function sitemapXml(origin: string): string {
  const urls = PUBLIC_PATHS.map((path) => `  <url><loc>${origin}${path}</loc></url>`).join("\n");
  return `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls}
</urlset>
`;
}

/** The service worker fetches from its own origin only, and starts no other script. */
const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** Where other apps share files, which the service worker takes over. */
export const SHARE_TARGET = "/share-target";

/** Takes the service worker that a browser has, and all that it has kept, out of the browser. */
const WORKER_REMOVAL = `self.addEventListener("install", () => self.skipWaiting());
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
function mountServiceWorker(app: Hono<Env>, { config }: Pick<Deps, "config">): void {
  const script = loadOnce(async () => (config.hasServiceWorker ? readWorker() : WORKER_REMOVAL));
  app.get("/sw.js", etag(), async (c) =>
    c.body(await script(), 200, {
      "Cache-Control": "no-cache",
      "Content-Type": "text/javascript; charset=utf-8",
      "Content-Security-Policy": WORKER_POLICY,
    }),
  );
  // Only a browser without the worker asks the server: what it sends is not read, and shared again.
  app.post(SHARE_TARGET, (c) => c.redirect("/shared?missed=1", 303));
}

async function readWorker(): Promise<string> {
  return readFile(join(DIST, "service-worker/sw.js"), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return WORKER_REMOVAL;
    throw error;
  });
}
