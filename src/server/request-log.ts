import type { HttpBindings } from "@hono/node-server";
import type { Context as HonoContext, Next } from "hono";
import { routePath } from "hono/route";
import type { Deps } from "./context.ts";
import type { Env } from "./request-context.ts";

/**
 * Measures each request and logs it under its id. Only the route is named, never the address asked for: that may hold
 * a signed link. What changes something or fails is worth a line; what was only read, one at `debug`.
 */
export function requestLog({ log, metrics }: Pick<Deps, "log" | "metrics">) {
  return async (c: HonoContext<Env>, next: Next) => {
    const start = performance.now();
    await next();
    const ms = performance.now() - start;
    const facts = { method: c.req.method, route: c.get("route") ?? routePath(c), status: statusOf(c) };
    metrics.observeRequest(facts, ms);
    const isRead = c.req.method === "GET" || c.req.method === "HEAD";
    const level = facts.status < 400 && isRead ? "debug" : "info";
    log[level]({ requestId: c.get("requestId"), ...facts, ms: Math.round(ms) }, "request");
  };
}

/** What was kept is sent around Hono's response. */
function statusOf(c: HonoContext): number {
  const { outgoing } = c.env as HttpBindings;
  return outgoing.headersSent ? outgoing.statusCode : c.res.status;
}
