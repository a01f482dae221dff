import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { databasePath } from "#db/open.ts";
import { withLimit } from "../child.ts";
import { bodyMaker, orderRunners, placeModelOrder } from "../order-load.ts";
import type { BenchPlan } from "../plan.ts";
import { type Bound, type Comparison, compare } from "../results.ts";
import type { World } from "../world.ts";

const FILES_PER_SECOND = 9000;
/** A hundred times Vendure's best result on the machine where the bench was first run. */
const HUNDRED_VENDURES = 1700;

/** Orders with one file, six options and two mails, each confirmed once it is safely on disk. */
export async function measureOrders(
  plan: BenchPlan,
  world: World,
): Promise<{ comparison: Comparison; rate: Bound }> {
  const makeBody = await bodyMaker(world);
  await placeModelOrder(world, makeBody);
  const copy = join(world.folder, "raw-orders.sqlite");
  await copyDatabase(world, copy);
  const target = { databaseUrl: `file:${copy}`, filesPerSecond: FILES_PER_SECOND };
  const comparison = await withLimit(
    "raw-orders.ts",
    { args: [copy], log: join(world.folder, "limits.log") },
    (url) =>
      compare(plan, {
        path: "POST printorder, durable, all checked, mails queued",
        limit: "bare better-sqlite3 over node:http, the same rows, one FULL commit each",
        unit: "orders",
        atLeast: 1,
        ...orderRunners(world, makeBody, { ...target, url }),
      }),
  );
  const what = "orders a second (100 times Vendure's 17)";
  const { perSecond } = comparison.ours;
  return {
    comparison,
    rate: { what, unit: "/s", measured: perSecond, bound: HUNDRED_VENDURES, kind: "at least" },
  };
}

async function copyDatabase({ databaseUrl }: World, target: string): Promise<void> {
  const db = new Sqlite(databasePath(databaseUrl), { readonly: true });
  await db.backup(target);
  db.close();
}
