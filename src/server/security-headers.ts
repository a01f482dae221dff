import type { Context as HonoContext, MiddlewareHandler, Next } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { Config } from "./config.ts";

/** Two years, with every name below the store's: what browsers ask for who want to preload it. */
const HTTPS_ONLY = "max-age=63072000; includeSubDomains";
/** Nothing that the API answers is a page: opened as one it loads nothing, runs nothing and sends nothing. */
const NO_PAGE = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";
/** Scripts that start workers and pictures: a stricter policy would bind the workers. */
const NOT_FRAMED = "frame-ancestors 'none'";

/** Headers that every answer has; what sets a policy of its own keeps that. */
export function securityHeaders({ publicUrl }: Pick<Config, "publicUrl">): MiddlewareHandler[] {
  return [
    secureHeaders({
      crossOriginEmbedderPolicy: false,
      xFrameOptions: "DENY",
      strictTransportSecurity: publicUrl?.startsWith("https:") ? HTTPS_ONLY : false,
    }),
    withDefaults,
  ];
}

async function withDefaults(c: HonoContext, next: Next): Promise<void> {
  await next();
  // A browser would put the policy of a 304 in the place of the one that its copy came with.
  if (c.res.status === 304) return;
  const isApi = c.req.path.startsWith("/api/");
  if (!c.res.headers.has("Content-Security-Policy")) {
    c.header("Content-Security-Policy", isApi ? NO_PAGE : NOT_FRAMED);
  }
  if (isApi && !c.res.headers.has("Cache-Control")) c.header("Cache-Control", "no-store");
}
