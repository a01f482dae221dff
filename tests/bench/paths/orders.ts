import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { databasePath } from "#db/open.ts";
import { withLimit } from "../child.ts";
import { bodyMaker, orderRunners, placeModelOrder } from "../order-load.ts";
import type { BenchPlan } from "../plan.ts";
import { type Comparison, compare } from "../results.ts";
import type { World } from "../world.ts";

const FILES_PER_SECOND = 9000;

/** Orders with one file, six options and two mails, each confirmed once it is safely on disk. */
export async function measureOrders(plan: BenchPlan, world: World): Promise<Comparison> {
  const makeBody = await bodyMaker(world);
  await placeModelOrder(world, makeBody);
  const copy = join(world.folder, "raw-orders.sqlite");
  await copyDatabase(world, copy);
  const target = { databaseUrl: `file:${copy}`, filesPerSecond: FILES_PER_SECOND };
  return withLimit("raw-orders.ts", { args: [copy], log: join(world.folder, "limits.log") }, (url) =>
    compare(plan, {
      path: "POST printorder, durable, all checked, mails queued",
      limit: "bare better-sqlite3 over node:http, the same rows, one FULL commit each",
      unit: "orders",
      atLeast: 0.5,
      ...orderRunners(world, makeBody, { ...target, url }),
    }),
  );
}

async function copyDatabase({ databaseUrl }: World, target: string): Promise<void> {
  const db = new Sqlite(databasePath(databaseUrl), { readonly: true });
  await db.backup(target);
  db.close();
}
