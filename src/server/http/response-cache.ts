import { promisify } from "node:util";
import { constants, gzip as gzipWithCallback } from "node:zlib";
import type { HttpBindings } from "@hono/node-server";
import { RESPONSE_ALREADY_SENT } from "@hono/node-server/utils/response";
import type { Context as HonoContext, Next } from "hono";
import { routePath } from "hono/route";
import { LRUCache } from "lru-cache";
import type { Deps } from "../context.ts";
import { nextTickBarrier } from "../lib/scheduling.ts";
import type { Env } from "./request-context.ts";

const gzip = promisify(gzipWithCallback);

const BEST = { level: constants.Z_BEST_COMPRESSION };
/** What fits into one packet anyway is sent as it is. */
const WORTH_PACKING_BYTES = 1024;
/** What the objects of an answer take beside their texts. */
const OVERHEAD_BYTES = 2048;
/** What is short is kept as text of one byte a character, which goes to the system in one piece with the headers. */
const ONE_BYTE = "latin1";

/** An answer that is the same for everyone, to be sent again as it was made, or packed where the client takes that. */
class CachedResponse {
  /** The catalogue's when it was made. */
  readonly version: number;
  readonly #body: Buffer;
  readonly #route: string;
  /** Names and values in turn. */
  readonly #headers: readonly string[];
  #packed: Promise<string> | undefined;

  private constructor(version: number, body: Buffer, route: string, headers: readonly string[]) {
    this.version = version;
    this.#body = body;
    this.#route = route;
    this.#headers = headers;
  }

  /** Of the answer that has just been made; null where it is a failure, or says anything to one visitor alone. */
  static async of(c: HonoContext<Env>, version: number): Promise<CachedResponse | null> {
    if (c.res.status !== 200 || c.res.headers.has("set-cookie")) return null;
    const body = Buffer.from(await c.res.clone().arrayBuffer());
    const { "content-length": _ofTheUnpacked, ...headers } = lastingHeaders(c, c.res.headers);
    const all = { ...headers, vary: [headers.vary, "Accept-Encoding"].filter(Boolean).join(", ") };
    return new CachedResponse(version, body, routePath(c), Object.entries(all).flat());
  }

  /** What it takes in memory: its headers, and its body twice, for it may also be packed. */
  get bytes(): number {
    const headers = this.#headers.reduce((sum, text) => sum + text.length, 0);
    return OVERHEAD_BYTES + headers + 2 * this.#body.length;
  }

  async send(c: HonoContext<Env>): Promise<Response> {
    const { incoming, outgoing } = c.env as HttpBindings;
    const isPacked =
      this.#body.length >= WORTH_PACKING_BYTES && takesGzip(incoming.headers["accept-encoding"]);
    const body = isPacked ? await this.#pack() : this.#body;
    const headers = [...this.#headers, "X-Request-Id", c.get("requestId")];
    if (isPacked) headers.push("Content-Encoding", "gzip");
    headers.push("Content-Length", String(body.length));
    c.set("route", this.#route);
    outgoing.writeHead(200, headers).end(body, ONE_BYTE);
    return RESPONSE_ALREADY_SENT;
  }

  #pack(): Promise<string> {
    this.#packed ??= gzip(this.#body, BEST).then((packed) => packed.toString(ONE_BYTE));
    return this.#packed;
  }
}

/** Whether a client does whose Accept-Encoding this is. */
export function takesGzip(accepted = ""): boolean {
  return /\bgzip\b/.test(accepted);
}

/** What has been set for this answer already, and these, but for what is its request's own. */
export function lastingHeaders(c: HonoContext, own: Iterable<[string, string]> = []): Record<string, string> {
  const { outgoing } = c.env as HttpBindings;
  const ofEveryAnswer = Object.entries(outgoing.getHeaders()).map(([name, value]) => [name, String(value)]);
  const { "x-request-id": _ofThisRequest, ...lasting } = Object.fromEntries([...ofEveryAnswer, ...own]);
  return lasting;
}

/** Calls that answer everyone alike, whoever they are logged in as, until shops or prices change. */
const FOR_EVERYONE = /^\/api\/(v1\/prints\/(shopslocation|shopdata)|trpc\/shops\.(list|page|byId))(\?|$)/;
/** Headers of requests that want another shape, or that bring a body, which has to be read or turned away. */
const SPECIAL = ["trpc-accept", "content-length", "transfer-encoding"];
const MAX_URL_LENGTH = 300;
/** Whichever comes first; then the least recently used goes. */
const MAX_ANSWERS = 2000;
const MAX_BYTES = 16 * 1024 * 1024;

/**
 * Answers some reads with the bytes and the headers of the last answer, for as long as the catalogue has not changed. An
 * answer that says anything to one visitor alone is not kept. Each request is measured, logged and named like any other.
 */
export function cacheResponses({ catalogue }: Pick<Deps, "catalogue">) {
  const answers = new LRUCache<string, CachedResponse>({
    max: MAX_ANSWERS,
    maxSize: MAX_BYTES,
    sizeCalculation: (answer, url) => answer.bytes + url.length,
  });

  return async (c: HonoContext<Env>, next: Next): Promise<Response | undefined> => {
    const url = keptUrl(c);
    // Before the answer is made: a change meanwhile makes it one of an older version.
    const version = url === null ? null : await versionOf(catalogue);
    if (url === null || version === null) {
      await next();
      return;
    }
    const isSearch = hasSearchText(url);
    const kept = isSearch ? undefined : answers.get(url);
    if (kept?.version === version) {
      await nextTickBarrier();
      return kept.send(c);
    }
    await next();
    const answer = await CachedResponse.of(c, version);
    if (!answer) return;
    if (!isSearch) answers.set(url, answer);
    // Without this Hono would add the headers that are there already.
    c.res = undefined;
    c.res = await answer.send(c);
  };
}

/** Null where the database does not answer: whoever makes the answer then says so. */
export async function versionOf(catalogue: Deps["catalogue"]): Promise<number | null> {
  try {
    return await catalogue.version();
  } catch {
    return null;
  }
}

/** What the answer is kept under; null where it is none to keep. */
function keptUrl(c: HonoContext): string | null {
  const { method, url = "", headers } = (c.env as HttpBindings).incoming;
  const isKept = method === "GET" && url.length <= MAX_URL_LENGTH && FOR_EVERYONE.test(url);
  return isKept && SPECIAL.every((name) => headers[name] === undefined) ? url : null;
}

/** What somebody typed is hardly ever asked for again. */
function hasSearchText(url: string): boolean {
  if (!url.includes("search")) return false;
  const query = new URLSearchParams(url.slice(url.indexOf("?")));
  return Boolean(query.get("search")?.trim()) || /"search":\s*"\s*[^"\s]/.test(query.get("input") ?? "");
}
