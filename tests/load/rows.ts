import type { Insertable } from "kysely";
import type { Schema } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";

/** How much to fill a store with. The same plan makes the same store, except for the salt of the password. */
export interface LoadPlan {
  shops: number;
  students: number;
  orders: number;
  /** The number of days that the orders are spread over. */
  days: number;
  /** The time of the newest order. */
  until: Date;
  seed: number;
}

/** The password of everybody whom the script creates. */
export const LOAD_PASSWORD = "correct horse battery";
export const LOAD_ADMIN = "admin@load.example";

/** SQLite's limit for values in one statement is a little higher. */
const MAX_VALUES = 30_000;

/** Inserts rows of one shape into a table, many at a time. */
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
