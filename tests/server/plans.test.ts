import { globSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { plannerOf, recordQueries } from "../setup/query-plans.ts";
import { startTestStore } from "../setup/test-store.ts";
import { runScenario } from "./plans.scenario.ts";

/** Tables that may be read completely, and why. */
const SMALL = {
  shops: "the list of shops shows all of them",
  shop_options: "belong to the shops",
  price_lists: "one row a shop",
  shop_schedules: "one row a shop",
  shop_taxes: "one row a shop",
  shop_photos: "one row a shop",
  upload_reservations: "uploads under way",
  shop_staff: "some rows a shop",
  former_staff: "who left in the last two days",
  staff_invitations: "those that wait",
  staff_invitation_shops: "belong to those",
  live_event_head: "one row",
  catalogue: "one row",
  store_facts: "some rows",
};

/** Query functions that the walk does not call, and why. */
const NOT_WALKED: Record<string, string> = {
  replaceSealedKeys: "deletes all subscriptions, once, after SECRET has changed: push.sql.test.ts",
  toShopRecord: "asks nothing",
  isOrderOf: "asks nothing: a part of the queries that delete",
  lockReservations: "asks nothing on SQLite, and reads no table on PostgreSQL",
};

const QUERY_FILES = globSync("src/server/**/*queries.ts", { cwd: join(import.meta.dirname, "../..") });

test("no query scans a growing table, on either database", {
  timeout: 600_000,
}, async () => {
  const recorded = recordQueries();
  // SEED_DEMO named, so that the queries of the first start are walked too.
  const store = await startTestStore({ RATE_LIMIT_SCALE: "1000", SEED_DEMO: "true" }, undefined, undefined, {
    sendPush: async () => 503,
  });
  await runScenario(store);
  const { db } = store.deps;
  const tables = (await db.introspection.getTables()).map(({ name }) => name);
  const growing = tables.filter((name) => !(name in SMALL));
  const planner = await plannerOf(db, growing);

  const faults: Record<string, string[]> = {};
  for (const query of [...recorded.queries.values()]) {
    const scans = await planner.fullScansOf(query);
    if (scans.length > 0) faults[query.sql] = scans;
  }
  await store.stop();

  const missing = (await exportedQueries()).filter(
    (name) => !recorded.functions.has(name) && !(name in NOT_WALKED),
  );
  expect(missing).toEqual([]);
  expect(faults).toEqual({});
});

async function exportedQueries(): Promise<string[]> {
  const modules = await Promise.all(
    QUERY_FILES.map((file) => import(join(import.meta.dirname, "../..", file))),
  );
  return modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) => (typeof value === "function" ? [name] : [])),
  );
}
