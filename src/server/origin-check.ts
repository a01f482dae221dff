import type { Context as HonoContext, Next } from "hono";
import type { Deps } from "./context.ts";
import { AppError } from "./errors.ts";
import { ownOrigins } from "./request-context.ts";

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
