import { join } from "node:path";
import Sqlite from "better-sqlite3";
import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { fillStore } from "../load/fill.ts";
import type { LoadPlan } from "../load/rows.ts";

const PLAN: LoadPlan = {
  shops: 5,
  students: 300,
  orders: 1000,
  days: 30,
  until: new Date("2026-10-15T10:30:00.000Z"),
  seed: 7,
};

/** What is copied of the original order; one line and one event, so that it takes only seconds. */
const COPIED: Record<string, string> = {
  orders: "true",
  order_lines: "kind = 'paperTypes'",
  order_events: "state = 'placed'",
  files: "true",
  order_files: "true",
};
/** The columns that differ in each copy. */
const OWN_COLUMNS = ["id", "number", "order_id", "file_id", "idempotency_key"];

/** Creates a store with this number of orders in a new data folder. */
export async function fillFolder(dataDir: string, orders: number): Promise<void> {
  const { db, close } = await openDatabase(`file:${join(dataDir, "store.sqlite")}`);
  await migrate(db);
  await fillStore(db, { ...PLAN, orders });
  await close();
}

/** The same with thousands of orders. */
export async function fillThousands(dataDir: string, thousands: number): Promise<void> {
  await fillFolder(dataDir, PLAN.orders);
  const database = new Sqlite(join(dataDir, "store.sqlite"));
  database.pragma("synchronous = off");
  database.exec(`
    create temp table copies as
    with recursive numbers (copy) as (select 1 union all select copy + 1 from numbers where copy < ${thousands - 1})
    select copy from numbers`);
  database.transaction(() => copyOrders(database))();
  database.close();
}

function copyOrders(database: Sqlite.Database): void {
  for (const [table, condition] of Object.entries(COPIED)) {
    const columns = (database.pragma(`table_info(${table})`) as { name: string }[]).map(({ name }) => name);
    const values = columns.map((name) =>
      OWN_COLUMNS.includes(name) ? `"${name}" || '-' || copy` : `"${name}"`,
    );
    database.exec(`
      insert into ${table} (${columns.map((name) => `"${name}"`).join(", ")})
      select ${values.join(", ")} from (select * from ${table} where ${condition}) cross join copies`);
  }
}
