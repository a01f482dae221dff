import { sql } from "kysely";
import type { Db } from "#db/database.ts";

/** Resolves if the database answers. */
export async function pingDatabase(db: Db): Promise<void> {
  await db.selectFrom("store_facts").select("name").limit(1).execute();
}

/** Deleted files whose bytes are still stored. */
export async function countUnerasedFiles(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom("files")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("deleted_at", "is not", null)
    .where("erased_at", "is", null)
    .executeTakeFirstOrThrow();
  return count;
}

/** Orders waiting to be printed. */
export async function countPlacedOrders(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom("orders")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("state", "=", "placed")
    // Needed for the partial index of open orders.
    .where(sql<boolean>`state not in ('delivered', 'cancelled')`)
    .executeTakeFirstOrThrow();
  return count;
}
