import type { Insertable } from "kysely";
import type { Schema } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";

/** How much a store is filled with. The same plan makes the same store, but for the salt of its one password. */
export interface LoadPlan {
  shops: number;
  students: number;
  orders: number;
  /** Over how many days the orders are spread. */
  days: number;
  /** The moment of the newest of them. */
  until: Date;
  seed: number;
}

/** What everyone whom the script makes logs in with. */
export const LOAD_PASSWORD = "correct horse battery";
export const LOAD_ADMIN = "admin@load.example";

/** SQLite takes few more values in one statement. */
const MAX_VALUES = 30_000;

/** Writes rows of one shape into a table, many at once. */
export async function insertRows<Table extends keyof Schema>(
  trx: Trx,
  table: Table,
  rows: Insertable<Schema[Table]>[],
): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).length;
  const size = Math.floor(MAX_VALUES / Math.max(1, columns));
  for (let start = 0; start < rows.length; start += size) {
    await trx
      .insertInto(table)
      .values(rows.slice(start, start + size))
      .execute();
  }
}
