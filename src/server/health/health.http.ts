import type { OpenAPIHono } from "@hono/zod-openapi";
import type { Context as HonoContext } from "hono";
import type { Deps } from "../context.ts";
import { allUnorderedBytes, freeUnorderedBytes } from "../files/quota.service.ts";
import { freeBytes } from "../http/disk-space.ts";
import { type ContextOf, type Env, isAdmin, isOperator } from "../http/request-context.ts";
import { sameHash } from "../lib/crypto.ts";
import { outboxStats } from "../mail/mail.service.ts";
import { countPlacedOrders, countUnerasedFiles, pingDatabase } from "./health.queries.ts";

/**
 * `/healthz`: the process runs and its database answers. `/readyz`: it may get requests. `/metrics`: for admins and
 * with METRICS_TOKEN as a bearer token; without a token set, for operators (`isOperator`). For everybody else they do
 * not exist.
 */
export function mountOperations(app: OpenAPIHono<Env>, deps: Deps, contextOf: ContextOf): void {
  const mayRead = async (c: HonoContext<Env>) =>
    deps.config.metricsToken === null
      ? isOperator(c, deps, contextOf)
      : hasToken(c, deps.config.metricsToken) || isAdmin(c, contextOf);
  app.get("/healthz", async (c) => {
    await pingDatabase(deps.readDb);
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
  return sameHash(c.req.header("authorization") ?? "", `Bearer ${token}`);
}

type Watched = Pick<Deps, "readDb" | "config" | "metrics" | "diskSpace" | "now">;

/** Why this server should get no requests at the moment; null when it is ready, also with a full disk: most calls go on. */
export async function whyNotReady({
  readDb,
  draining,
}: Pick<Deps, "readDb" | "draining">): Promise<string | null> {
  if (draining.aborted) return "closing";
  return pingDatabase(readDb).then(
    () => null,
    () => "the database does not answer",
  );
}

/** Adds metrics that are read from the database and the disk. */
export function addStoreMetrics(deps: Watched): void {
  const { readDb, config, metrics, diskSpace } = deps;
  metrics.addGauge(
    "mails_waiting",
    "Mails that are still to be sent",
    async () => (await outboxStats(deps)).waiting,
  );
  metrics.addGauge("files_unerased", "Deleted files whose content is still stored", () =>
    countUnerasedFiles(readDb),
  );
  metrics.addGauge("orders_placed", "Orders that wait to be printed", () => countPlacedOrders(readDb));
  metrics.addGauge("disk_free_bytes", "Room left where DATA_DIR is", () => freeBytes(config.dataDir));
  metrics.addGauge("upload_room_bytes", "Room left for uploads; where it is 0 they are refused", async () =>
    Math.min(await diskSpace.leftBytes(), await freeUnorderedBytes(deps)),
  );
  metrics.addGauge("unordered_bytes", "What uploads take that belong to no order", () =>
    allUnorderedBytes(deps),
  );
}
