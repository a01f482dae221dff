import { timingSafeEqual } from "node:crypto";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import type { Deps } from "../context.ts";
import { comesFromThisMachine } from "../local-request.ts";
import type { Env } from "../request-context.ts";
import { askDatabase } from "./operations.queries.ts";
import { whyNotReady } from "./operations.service.ts";

/**
 * `/healthz`: the process lives and its database answers. `/readyz`: it may be sent requests. `/metrics`: its figures,
 * for this machine itself or with METRICS_TOKEN as a bearer token; for everybody else they do not exist.
 */
export function mountOperations(app: OpenAPIHono<Env>, deps: Deps): void {
  app.get("/healthz", async (c) => {
    await askDatabase(deps.readDb);
    return c.json({ status: "ok" });
  });
  app.get("/readyz", async (c) => {
    const reason = await whyNotReady(deps);
    return reason ? c.json({ status: "not ready", reason }, 503) : c.json({ status: "ready" });
  });
  app.get("/metrics", async (c) => {
    if (!mayRead(c, deps)) return c.notFound();
    return c.body(await deps.metrics.text(), 200, { "Content-Type": deps.metrics.contentType });
  });
}

function mayRead(c: HonoContext<Env>, { config, publicUrl }: Deps): boolean {
  if (!config.metricsToken) return comesFromThisMachine(c, publicUrl());
  const given = Buffer.from(c.req.header("authorization") ?? "");
  const wanted = Buffer.from(`Bearer ${config.metricsToken}`);
  return given.length === wanted.length && timingSafeEqual(given, wanted);
}
