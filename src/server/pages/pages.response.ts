import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context as HonoContext } from "hono";
import { takesGzip } from "../kept-answer.ts";
import { drawNonce } from "./pages.nonce.ts";
import type { RenderedPage } from "./pages.renderer.ts";

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
export async function pageResponse(
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
