import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context as HonoContext, Next } from "hono";
import { routePath } from "hono/route";
import type { Deps } from "../context.ts";
import { lastingHeaders, takesGzip } from "../kept-answer.ts";
import { versionOf } from "../kept-answers.ts";
import type { Env } from "../request-context.ts";
import { endOfTurn } from "../turns.ts";
import { drawNonce } from "./pages.nonce.ts";
import { PatchableText } from "./pages.patchable.ts";
import type { RenderedPage } from "./pages.renderer.ts";
import { contentPolicy, etagOf, HTML, LOADED_AT, NONCE_MARK, revalidatedBy } from "./pages.response.ts";
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

  /**
   * Middleware that answers with the page that is kept, under all of its headers at once. Mount it before what sets
   * those of every answer, and after what measures and names requests.
   */
  answer() {
    return async (c: HonoContext<Env>, next: Next): Promise<Response | undefined> => {
      const path = keptPath(c);
      const page = path === null ? undefined : this.#pages.get(path);
      if (!page || page.version !== (await versionOf(this.#catalogue))) {
        await next();
        return;
      }
      await endOfTurn();
      return page.send(c);
    };
  }

  /** Renders the page, and keeps it where it is one that every guest sees. */
  async keep(c: HonoContext, render: () => Promise<RenderedPage>): Promise<RenderedPage> {
    const path = keptPath(c);
    if (path === null) return render();
    // Before it is rendered: a change meanwhile makes it a page of an older version.
    const version = await this.#catalogue.version();
    const rendered = await render();
    if (rendered.status === 200) this.#pages.set(path, await KeptPage.make(c, version, rendered.html));
    return rendered;
  }
}

class KeptPage {
  readonly version: number;
  readonly #route: string;
  readonly #tag: string;
  /** Those that are the same each time, names and values in turn. */
  readonly #headers: readonly string[];
  readonly #text: PatchableText;
  /** What stands in it for the moment when its data were loaded. They are as good as new while the version is. */
  readonly #moments: string[];

  private constructor(
    version: number,
    route: string,
    tag: string,
    headers: readonly string[],
    text: PatchableText,
    moments: string[],
  ) {
    this.version = version;
    this.#route = route;
    this.#tag = tag;
    this.#headers = headers;
    this.#text = text;
    this.#moments = moments;
  }

  static async make(c: HonoContext, version: number, html: string): Promise<KeptPage> {
    const moments = [...new Set(html.match(LOADED_AT))];
    const tag = etagOf(html);
    const { "content-security-policy": _ofOtherAnswers, ...lasting } = lastingHeaders(c);
    const headers = Object.entries({ ...lasting, ...revalidatedBy(tag) }).flat();
    const text = await PatchableText.make(html, [NONCE_MARK, ...moments]);
    return new KeptPage(version, routePath(c), tag, headers, text, moments);
  }

  send(c: HonoContext<Env>): Response {
    const { incoming, outgoing } = c.env as HttpBindings;
    const { headers } = incoming;
    const ours = [...this.#headers, "X-Request-Id", c.get("requestId")];
    c.set("route", this.#route);
    if (headers["if-none-match"]?.includes(this.#tag)) {
      outgoing.writeHead(304, ours).end();
      return RESPONSE_ALREADY_SENT;
    }
    const nonce = drawNonce();
    const patches = this.#patches(nonce);
    const isPacked = takesGzip(headers["accept-encoding"]);
    const body = isPacked ? this.#text.gzipped(patches) : this.#text.plain(patches);
    if (isPacked) ours.push("Content-Encoding", "gzip");
    ours.push("Content-Security-Policy", contentPolicy(nonce));
    ours.push("Content-Type", HTML, "Content-Length", String(body.length));
    outgoing.writeHead(200, ours).end(body);
    // Only then has the system all of it; a connection that breaks off before keeps its copy.
    if (isPacked) outgoing.once("finish", () => this.#text.takeBack(body));
    return RESPONSE_ALREADY_SENT;
  }

  #patches(nonce: string): Record<string, string> {
    const patches = { [NONCE_MARK]: nonce };
    const now = `u:${Date.now()}`;
    for (const moment of this.#moments) patches[moment] = now;
    return patches;
  }
}

/** The path under which the page is kept; null for one that is not. */
function keptPath(c: HonoContext): string | null {
  const { method, url = "", headers } = (c.env as HttpBindings).incoming;
  return method === "GET" && KEPT.has(url) && !headers.cookie?.includes("session") ? url : null;
}
