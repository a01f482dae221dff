import { type Kysely, sql } from "kysely";

/** The index tells the state of each open order of a shop, so that its board counts and finds those of a state by it alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex("orders_open_shop").execute();
  await db.schema
    .createIndex("orders_open_shop")
    .on("orders")
    .columns(["shop_id", "created_at", "id", "state"])
    .where(sql`state`, "not in", sql`('delivered', 'cancelled')`)
    .execute();
}
