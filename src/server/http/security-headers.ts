import type { Context as HonoContext, Next } from "hono";
import type { Config } from "../config.ts";
import type { Deps } from "../context.ts";
import { AppError } from "../errors.ts";
import { type Env, ownOrigins } from "./request-context.ts";

/** Two years and all subdomains, as the HSTS preload list requires. */
const HTTPS_ONLY = "max-age=63072000; includeSubDomains";
/** Responses of the API are no pages: opened as one, they load, run and send nothing. */
const NO_PAGE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** For files, such as scripts and pictures: a stricter policy on a worker's script would bind the worker. */
const NOT_FRAMED = "frame-ancestors 'none'";

/** The headers of Hono's `secureHeaders` that today's browsers know. */
const ALWAYS = {
  "Cross-Origin-Resource-Policy": "same-origin",
  "Cross-Origin-Opener-Policy": "same-origin",
  "Origin-Agent-Cluster": "?1",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
  "X-Frame-Options": "DENY",
};

/** Middleware that adds headers to every response; one that sets a header of its own keeps that. */
export function securityHeaders({ publicUrl }: Pick<Config, "publicUrl">) {
  const always = {
    ...ALWAYS,
    ...(publicUrl?.startsWith("https:") && { "Strict-Transport-Security": HTTPS_ONLY }),
  };
  const ofPages = { ...always, "Content-Security-Policy": NOT_FRAMED };
  const ofApi = { ...always, "Content-Security-Policy": NO_PAGE, "Cache-Control": "no-store" };
  return async (c: HonoContext<Env>, next: Next): Promise<void> => {
    await next();
    const { headers, status } = c.res;
    const defaults = Object.entries(c.req.path.startsWith("/api/") ? ofApi : ofPages);
    for (const [name, value] of defaults) if (!headers.has(name)) headers.set(name, value);
    // Also on responses that were not made by `c`, such as tRPC's.
    headers.set("X-Request-Id", c.get("requestId"));
    // A browser would put the policy of a 304 in the place of the one that its copy came with.
    if (status === 304) headers.delete("Content-Security-Policy");
  };
}

/**
 * Refuses state-changing requests that another site's page makes. Browsers always say where such a request comes
 * from; a request that says nothing comes from a program, which carries no one else's cookies.
 */
export function originCheck(deps: Pick<Deps, "config" | "publicUrl">) {
  return async (c: HonoContext, next: Next) => {
    if (c.req.method !== "GET" && c.req.method !== "HEAD" && isForeign(c, deps)) {
      throw new AppError("FORBIDDEN", "This request did not come from the store's own pages");
    }
    await next();
  };
}

function isForeign(c: HonoContext, deps: Pick<Deps, "config" | "publicUrl">): boolean {
  const origin = c.req.header("origin");
  if (origin !== undefined) return !ownOrigins(c, deps).includes(origin);
  const site = c.req.header("sec-fetch-site");
  return site !== undefined && site !== "same-origin" && site !== "none";
}
