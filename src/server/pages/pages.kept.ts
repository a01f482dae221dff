import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context as HonoContext } from "hono";
import type { Deps } from "../context.ts";
import type { Env } from "../request-context.ts";
import { PatchableText } from "./pages.patchable.ts";
import type { RenderedPage } from "./pages.renderer.ts";
import {
  contentPolicy,
  drawNonce,
  etagOf,
  HTML,
  LOADED_AT,
  NONCE_MARK,
  revalidatedBy,
} from "./pages.response.ts";
import { PUBLIC_PATHS } from "./pages.site.ts";

const KEPT = new Set(PUBLIC_PATHS);

/**
 * The public pages as guests see them, who all see the same: rendered and compressed once for each version of the
 * catalogue. Whoever brings a session's cookie, or asks for anything with a query, has their page rendered.
 */
export class KeptPages {
  readonly #catalogue: Deps["catalogue"];
  readonly #pages = new Map<string, KeptPage>();

  constructor(catalogue: Deps["catalogue"]) {
    this.#catalogue = catalogue;
  }

  /** The page that is asked for, unless it has to be rendered. */
  async find(c: HonoContext): Promise<KeptPage | null> {
    const path = keptPath(c);
    const page = path === null ? undefined : this.#pages.get(path);
    return page && page.version === (await this.#catalogue.version()) ? page : null;
  }

  /** Renders the page, and keeps it where it is one that every guest sees. */
  async keep(c: HonoContext, render: () => Promise<RenderedPage>): Promise<RenderedPage> {
    const path = keptPath(c);
    if (path === null) return render();
    // Before it is rendered: a change meanwhile makes it a page of an older version.
    const version = await this.#catalogue.version();
    const rendered = await render();
    if (rendered.status === 200) this.#pages.set(path, await KeptPage.make(version, rendered.html));
    return rendered;
  }
}

class KeptPage {
  readonly version: number;
  readonly #tag: string;
  readonly #text: PatchableText;
  /** What stands in it for the moment when its data were loaded. They are as good as new while the version is. */
  readonly #moments: string[];

  private constructor(version: number, tag: string, text: PatchableText, moments: string[]) {
    this.version = version;
    this.#tag = tag;
    this.#text = text;
    this.#moments = moments;
  }

  static async make(version: number, html: string): Promise<KeptPage> {
    const moments = [...new Set(html.match(LOADED_AT))];
    const text = await PatchableText.make(html, [NONCE_MARK, ...moments]);
    return new KeptPage(version, etagOf(html), text, moments);
  }

  send(c: HonoContext<Env>): Response {
    const { incoming, outgoing } = c.env as HttpBindings;
    const headers = incoming.headers;
    if (headers["if-none-match"]?.includes(this.#tag)) {
      outgoing.removeHeader("Content-Security-Policy");
      outgoing.writeHead(304, revalidatedBy(this.#tag)).end();
      return RESPONSE_ALREADY_SENT;
    }
    const nonce = drawNonce();
    const now = `u:${Date.now()}`;
    const patches = {
      [NONCE_MARK]: nonce,
      ...Object.fromEntries(this.#moments.map((moment) => [moment, now])),
    };
    const isPacked = /\bgzip\b/.test(headers["accept-encoding"] ?? "");
    const body = isPacked ? this.#text.gzipped(patches) : this.#text.plain(patches);
    outgoing.writeHead(200, {
      ...revalidatedBy(this.#tag),
      ...(isPacked && { "Content-Encoding": "gzip" }),
      "Content-Security-Policy": contentPolicy(nonce),
      "Content-Type": HTML,
      "Content-Length": body.length,
    });
    outgoing.end(body);
    return RESPONSE_ALREADY_SENT;
  }
}

/** The path under which the page is kept; null for one that is not. */
function keptPath(c: HonoContext): string | null {
  const { method, url = "", headers } = (c.env as HttpBindings).incoming;
  return method === "GET" && KEPT.has(url) && !headers.cookie?.includes("session") ? url : null;
}
