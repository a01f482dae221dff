import { timingSafeEqual } from "node:crypto";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import type { Context, Deps } from "../context.ts";
import { isAdmin, isOperator } from "../operator-access.ts";
import type { Env } from "../request-context.ts";
import { askDatabase } from "./operations.queries.ts";
import { whyNotReady } from "./operations.service.ts";

/**
 * `/healthz`: the process lives and its database answers. `/readyz`: it may be sent requests. `/metrics`: its figures,
 * for admins and with METRICS_TOKEN as a bearer token; where none is set, for operators (`isOperator`). For everybody else
 * they do not exist.
 */
export function mountOperations(
  app: OpenAPIHono<Env>,
  deps: Deps,
  contextOf: (c: HonoContext<Env>) => Promise<Context>,
): void {
  const mayRead = async (c: HonoContext<Env>) =>
    deps.config.metricsToken === null
      ? isOperator(c, deps, contextOf)
      : hasToken(c, deps.config.metricsToken) || isAdmin(c, contextOf);
  app.get("/healthz", async (c) => {
    await askDatabase(deps.readDb);
    return c.json({ status: "ok" });
  });
  app.get("/readyz", async (c) => {
    const reason = await whyNotReady(deps);
    return reason ? c.json({ status: "not ready", reason }, 503) : c.json({ status: "ready" });
  });
  app.get("/metrics", async (c) => {
    if (!(await mayRead(c))) return c.notFound();
    return c.body(await deps.metrics.text(), 200, { "Content-Type": deps.metrics.contentType });
  });
}

function hasToken(c: HonoContext<Env>, token: string): boolean {
  const given = Buffer.from(c.req.header("authorization") ?? "");
  const wanted = Buffer.from(`Bearer ${token}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
