import { createHash, randomBytes } from "node:crypto";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import type { Context as HonoContext } from "hono";
import { hashSource } from "../lib/crypto.ts";
import type { RenderedPage } from "./renderer.ts";

const brotliAsync = promisify(brotliCompress);
const gzipAsync = promisify(gzip);

/** Quality 5 compresses about as well as gzip's best, in half of the time. */
const BROTLI_PARAMS = { [constants.BROTLI_PARAM_QUALITY]: 5 };
type Encoding = "br" | "gzip";

const NONCE_BYTES = 16;

/** For the inline scripts and style tags of one rendering. */
export function drawNonce(): string {
  return randomBytes(NONCE_BYTES).toString("base64url");
}

interface PageOptions {
  /** The nonce that the page was rendered with. */
  nonce: string;
  /** Another source of style tags that the page's policy allows. */
  styleSource?: string;
}

/** A rendered page with its content policy, ready to be sent to one visitor or to many. */
export class PageResponse {
  readonly status: number;
  readonly #page: RenderedPage;
  readonly #policy: string;
  readonly #etag: string;
  readonly #compressed = new Map<Encoding, Promise<Uint8Array<ArrayBuffer>>>();

  constructor(page: RenderedPage, options: PageOptions) {
    this.status = page.status;
    this.#page = page;
    this.#policy = contentPolicy(page.html, options);
    this.#etag = etagOf(page.html, options.nonce);
  }

  /**
   * A page that names who is logged in is stored by no browser, so that the next person cannot go back to it; others are
   * revalidated by their ETag. Our service worker keeps some until their viewer logs out.
   */
  async send(c: HonoContext, { isPersonal = false } = {}): Promise<Response> {
    const { html, status, location } = this.#page;
    c.header("Cache-Control", isPersonal && !location ? "private, no-store" : "private, no-cache");
    if (location) return c.redirect(location, 307);
    if (!isPersonal) {
      c.header("Vary", "Cookie, Accept-Encoding");
      c.header("ETag", this.#etag);
      if (status === 200 && c.req.header("if-none-match")?.includes(this.#etag)) return c.body(null, 304);
    }
    c.header("Content-Security-Policy", this.#policy);
    c.header("Content-Type", "text/html; charset=utf-8");
    c.status(status as 200);
    const encoding = encodingFor(c.req.header("accept-encoding"));
    if (!encoding) return c.body(html);
    c.header("Content-Encoding", encoding);
    return c.body(await this.#compress(encoding));
  }

  #compress(encoding: Encoding): Promise<Uint8Array<ArrayBuffer>> {
    const known = this.#compressed.get(encoding);
    if (known) return known;
    const { html } = this.#page;
    const packed = encoding === "br" ? brotliAsync(html, { params: BROTLI_PARAMS }) : gzipAsync(html);
    const bytes = packed.then((buffer) => new Uint8Array(buffer));
    this.#compressed.set(encoding, bytes);
    return bytes;
  }
}

function encodingFor(accepted = ""): Encoding | null {
  if (/\bbr\b/.test(accepted)) return "br";
  return /\bgzip\b/.test(accepted) ? "gzip" : null;
}

/** When the router loaded its data, which is the only difference between two renderings of a page beside the nonce. */
const LOADED_AT = /\bu:\d{13}\b/g;

/** A 304 carries no policy, so that the browser keeps the one that its copy came with. */
function etagOf(html: string, nonce: string): string {
  const content = html.replaceAll(nonce, "").replace(LOADED_AT, "");
  const digest = createHash("sha256").update(content).digest("base64url");
  return `W/"${digest.slice(0, 22)}"`;
}

/**
 * Scripts run by their hashes, because a page that is cached for all guests cannot have a nonce for each of them. Style
 * tags need the nonce of the rendering: Mantine adds some in the browser. Style attributes, by which it sizes components, are
 * allowed.
 */
function contentPolicy(html: string, { nonce, styleSource = "" }: PageOptions): string {
  return [
    "default-src 'self'",
    ["script-src 'self'", ...scriptHashes(html, nonce), "'wasm-unsafe-eval'"].join(" "),
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

/** Only of inline scripts that were rendered with the nonce: a script that got into the page by anybody's text has none. */
function scriptHashes(html: string, nonce: string): string[] {
  const scripts = html.matchAll(/<script\b([^>]*)>(.*?)<\/script>/gs);
  return [...scripts].flatMap(([, attributes = "", text = ""]) => {
    const isOurs = attributes.includes(`nonce="${nonce}"`) && text !== "";
    return isOurs ? [hashSource(text)] : [];
  });
}
