import { type Kysely, sql } from "kysely";

/** The newest orders that are delivered are found without going through the open ones, most of which are newer. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("orders_delivered")
    .on("orders")
    .columns(["created_at", "id", "search_text"])
    .where(sql`state`, "=", sql`'delivered'`)
    .execute();
}
