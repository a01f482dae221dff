import { promisify } from "node:util";
import { constants, gzip as gzipWithCallback } from "node:zlib";
import type { Context as HonoContext, Next } from "hono";
import { routePath } from "hono/route";
import { LRUCache } from "lru-cache";
import type { Deps } from "../context.ts";
import type { Env } from "./request-context.ts";

// Kept for the rows shopslocation, shopdata and shops.byId of the bench: without it they fall to 0.11 to 0.19 of bare Hono.

const gzip = promisify(gzipWithCallback);

const BEST = { level: constants.Z_BEST_COMPRESSION };
/** What fits into one packet is sent uncompressed. */
const MIN_GZIP_BYTES = 1024;
/** What a response takes in memory beside its body. */
const OVERHEAD_BYTES = 2048;

/** Calls that answer everyone alike, whoever they are logged in as, until shops or prices change. */
export const CACHED_PATHS = [
  "/api/v1/prints/shopslocation",
  "/api/v1/prints/shopdata",
  "/api/trpc/shops.list",
  "/api/trpc/shops.page",
  "/api/trpc/shops.byId",
];
/** Headers of requests that want another shape, or that bring a body, which has to be read or refused. */
const UNCACHED_HEADERS = ["trpc-accept", "content-length", "transfer-encoding"];
const MAX_KEY_LENGTH = 300;
const MAX_BYTES = 16 * 1024 * 1024;

interface CachedResponse {
  /** The catalogue's when it was made. */
  version: number;
  route: string;
  headers: Record<string, string>;
  body: Uint8Array<ArrayBuffer>;
  gzipped?: Promise<Uint8Array<ArrayBuffer>>;
}

/**
 * Middleware that sends the last response again for as long as the catalogue has not changed, compressed where the client
 * takes that. A response that sets a cookie is never cached. Mount it before what adds headers to every response: they are
 * cached with it.
 */
export function cacheResponses({ catalogue }: Pick<Deps, "catalogue">) {
  const responses = new LRUCache<string, CachedResponse>({
    maxSize: MAX_BYTES,
    // The body twice, as it may also be compressed.
    sizeCalculation: ({ body }) => OVERHEAD_BYTES + 2 * body.length,
  });

  return async (c: HonoContext<Env>, next: Next): Promise<Response | undefined> => {
    const key = cacheKey(c);
    // Read before the response is made: a change meanwhile makes it one of an older version.
    const version = key === null ? null : await versionOf(catalogue);
    if (key === null || version === null) {
      await next();
      return;
    }
    const cached = responses.get(key);
    if (cached?.version === version) {
      c.set("route", cached.route);
      return send(c, cached);
    }
    await next();
    if (c.res.status !== 200 || c.res.headers.has("set-cookie")) return;
    const made = await readResponse(c, version);
    if (!hasSearchText(key)) responses.set(key, made);
    // Otherwise Hono would merge the headers of the response that is replaced.
    c.res = undefined;
    c.res = await send(c, made);
  };
}

async function readResponse(c: HonoContext<Env>, version: number): Promise<CachedResponse> {
  const {
    "content-length": _ofOneEncoding,
    "x-request-id": _ofOneRequest,
    ...headers
  } = Object.fromEntries(c.res.headers);
  headers.vary = [headers.vary, "Accept-Encoding"].filter(Boolean).join(", ");
  return { version, route: routePath(c), headers, body: new Uint8Array(await c.res.arrayBuffer()) };
}

async function send(c: HonoContext<Env>, cached: CachedResponse): Promise<Response> {
  const { body } = cached;
  const headers = { ...cached.headers, "x-request-id": c.get("requestId") };
  const isCompressed =
    body.length >= MIN_GZIP_BYTES && /\bgzip\b/.test(c.req.header("accept-encoding") ?? "");
  // Not by `c.body`, which would merge each header into those that are prepared.
  if (!isCompressed) return new Response(body, { headers });
  cached.gzipped ??= gzip(body, BEST).then((buffer) => new Uint8Array(buffer));
  return new Response(await cached.gzipped, { headers: { ...headers, "content-encoding": "gzip" } });
}

/** Null where the database does not answer: the handler then says so. */
async function versionOf(catalogue: Deps["catalogue"]): Promise<number | null> {
  try {
    return await catalogue.version();
  } catch {
    return null;
  }
}

/** Path and query; null for a request that is not answered from the cache. */
function cacheKey({ req }: HonoContext): string | null {
  const { pathname, search } = new URL(req.url);
  const key = pathname + search;
  const isCached = req.method === "GET" && key.length <= MAX_KEY_LENGTH;
  return isCached && UNCACHED_HEADERS.every((name) => req.header(name) === undefined) ? key : null;
}

/** Searches are rarely repeated, so they are not cached. */
function hasSearchText(key: string): boolean {
  const query = new URLSearchParams(key.slice(key.indexOf("?")));
  return Boolean(query.get("search")?.trim()) || /"search":\s*"\s*[^"\s]/.test(query.get("input") ?? "");
}
