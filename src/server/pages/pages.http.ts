import { createHash, randomFillSync } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { serveStatic } from "@hono/node-server/serve-static";
import type { Hono, Context as HonoContext } from "hono";
import type { Context, Deps } from "../context.ts";
import type { Env } from "../http/request-context.ts";
import { takesGzip } from "../http/response-cache.ts";
import { MAIL_STYLE_SOURCE } from "../mail/rendering.ts";
import { appRouter } from "../router.ts";
import type { PageCache } from "./page-cache.ts";
import { DIST, FOREVER, openBuild, type PageRequest, type RenderedPage } from "./renderer.ts";

const AN_HOUR = "public, max-age=3600";

/** Serves the storefront: the files of its build, and every other path as a page rendered here. Mount it last. */
export function mountPages(
  app: Hono<Env>,
  deps: Deps,
  contextOf: (c: HonoContext<Env>) => Promise<Context>,
  pageCache: PageCache,
): void {
  const build = openBuild();

  app.get("/robots.txt", (c) => c.text(robotsText(deps.publicUrl())));
  app.get("/sitemap.xml", (c) =>
    c.body(sitemapXml(deps.publicUrl()), 200, { "Content-Type": "application/xml; charset=utf-8" }),
  );
  app.get("/assets/*", async (c) => {
    c.header("Cache-Control", FOREVER);
    return (await build.serveFile(c)) ?? c.text("Not found", 404, { "Cache-Control": "no-store" });
  });
  app.get("*", async (c) => {
    const { pathname, search } = new URL(c.req.url);
    c.header("Cache-Control", AN_HOUR);
    const file = await build.serveFile(c);
    if (file) return file;
    const page = {
      url: `${deps.publicUrl()}${pathname}${search}`,
      nonce: NONCE_MARK,
      appRouter,
      context: await contextOf(c),
    };
    const rendered = await pageCache.keep(c, () => renderPage(page));
    const isPersonal = page.context.actor.kind === "user";
    return pageResponse(c, rendered, drawNonce(), { isPersonal });
  });

  async function renderPage(page: PageRequest): Promise<RenderedPage> {
    try {
      const render = await build.renderer();
      return await render(page);
    } catch (error) {
      deps.log.error({ err: error, requestId: page.context.requestId }, "page could not be rendered");
      return BROKEN_PAGE;
    }
  }
}

const BROKEN_PAGE: RenderedPage = {
  status: 500,
  location: null,
  html: `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Print Store</title><h1>Unexpected Application Error!</h1><p>Please try again in a moment.</p></html>`,
};

const NONCE_BYTES = 16;
/** To ask for random bytes takes longer than all else that a kept page needs, however few they are. */
const drawn = Buffer.alloc(256 * NONCE_BYTES);
let used = drawn.length;

export function drawNonce(): string {
  if (used === drawn.length) {
    randomFillSync(drawn);
    used = 0;
  }
  const end = used + NONCE_BYTES;
  const nonce = drawn.toString("base64url", used, end);
  used = end;
  return nonce;
}

/**
 * Stands for the nonce while a page is rendered, and is as long; drawn anew by each process, so that nobody can name it in
 * advance.
 */
export const NONCE_MARK = drawNonce();

const brotli = promisify(brotliCompress);
const gzipAsync = promisify(gzip);
/** Compresses about as well as gzip at its best, in half of the time. */
const BROTLI_QUALITY = 5;

export const HTML = "text/html; charset=utf-8";
const NOT_STORED_BY_OTHERS = "private, no-cache";
const NOT_STORED = "private, no-store";

interface PageOptions {
  /** What else its policy takes for a style tag of its own. */
  styleSource?: string;
  /** Whether it names who is logged in: the browser then stores no copy that the next person could go back to. */
  isPersonal?: boolean;
}

/**
 * A rendered page as a response: compressed, under a strict content policy, and revalidated by its ETag unless it is
 * personal. The ETag leaves the nonce out; a 304 therefore carries no policy, so that the browser keeps the one that its
 * copy came with.
 */
async function pageResponse(
  c: HonoContext,
  page: RenderedPage,
  nonce: string,
  { styleSource = "", isPersonal = false }: PageOptions = {},
): Promise<Response> {
  if (page.location) {
    c.header("Cache-Control", NOT_STORED_BY_OTHERS);
    return c.redirect(page.location, 307);
  }
  if (isPersonal) c.header("Cache-Control", NOT_STORED);
  else {
    const tag = etagOf(page.html);
    for (const [name, value] of Object.entries(revalidatedBy(tag))) c.header(name, value);
    if (page.status === 200 && c.req.header("if-none-match")?.includes(tag)) return c.body(null, 304);
  }
  c.header("Content-Security-Policy", contentPolicy(nonce, styleSource));
  c.header("Content-Type", HTML);
  c.status(page.status as 200);
  return compressed(c, page.html.replaceAll(NONCE_MARK, nonce));
}

/** The headers of a page by which a browser keeps it and asks again. */
export function revalidatedBy(tag: string): Record<string, string> {
  return { "Cache-Control": NOT_STORED_BY_OTHERS, Vary: "Cookie, Accept-Encoding", ETag: tag };
}

/** When the router loaded what it put into the page. Two renderings that differ only in that are the same page. */
export const LOADED_AT = /\bu:\d{13}\b/g;

export function etagOf(html: string): string {
  const lasting = html.replaceAll(NONCE_MARK, "").replace(LOADED_AT, "");
  const digest = createHash("sha256").update(lasting).digest("base64url");
  return `W/"${digest.slice(0, 22)}"`;
}

/** Style attributes are allowed because Mantine sizes its components by them; scripts and style tags need the nonce. */
export function contentPolicy(nonce: string, styleSource = ""): string {
  return [
    "default-src 'self'",
    `script-src 'self' 'nonce-${nonce}' 'wasm-unsafe-eval'`,
    `style-src 'self' 'nonce-${nonce}' ${styleSource}`.trimEnd(),
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data:",
    "worker-src 'self' blob:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join("; ");
}

async function compressed(c: HonoContext, html: string): Promise<Response> {
  const accepted = c.req.header("accept-encoding") ?? "";
  if (/\bbr\b/.test(accepted)) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: BROTLI_QUALITY };
    return c.body(bytes(await brotli(html, { params })), { headers: { "Content-Encoding": "br" } });
  }
  if (takesGzip(accepted)) {
    return c.body(bytes(await gzipAsync(html)), { headers: { "Content-Encoding": "gzip" } });
  }
  return c.body(html);
}

function bytes(buffer: Buffer): Uint8Array<ArrayBuffer> {
  return new Uint8Array(buffer);
}

/** What stands for the nonce in the console's page; the console's Vite config has it too. */
const BUILT_NONCE = "__CSP_NONCE__";

/** Serves the staff console: the files of its build, and its one page at every other path below `/admin`. */
export function mountConsole(app: Hono<Env>): void {
  let page: Promise<string> | undefined;

  if (existsSync(DIST)) app.get("/admin/assets/*", serveAssets());
  app.get("/admin/assets/*", (c) => c.text("Not found", 404, { "Cache-Control": "no-store" }));
  app.on("GET", ["/admin", "/admin/*"], async (c) => {
    page ??= readPage();
    const html = await page;
    // Mails are shown in a frame, which takes the page's policy over.
    return pageResponse(c, { status: 200, location: null, html }, drawNonce(), {
      styleSource: MAIL_STYLE_SOURCE,
    });
  });
}

function serveAssets() {
  return serveStatic({
    root: DIST,
    precompressed: true,
    onFound: (_path, c) => c.header("Cache-Control", FOREVER),
  });
}

async function readPage(): Promise<string> {
  const html = await readFile(join(DIST, "admin/index.html"), "utf8");
  return html.replaceAll(BUILT_NONCE, NONCE_MARK);
}

/** The pages that search engines may list. */
export const PUBLIC_PATHS = [
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
