import { type Kysely, sql } from "kysely";

/**
 * The open orders of a state are found without going through those of the others. What is narrower is taken first, and of
 * a shop's open orders, which are few, the index need not hold more than their place.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex("orders_open_shop").execute();
  for (const [name, columns] of [
    ["orders_open_shop", ["shop_id", "created_at", "id"]],
    ["orders_open_state", ["state", "created_at", "id", "shop_id"]],
  ] as const)
    await db.schema
      .createIndex(name)
      .on("orders")
      .columns([...columns])
      .where(sql`state`, "not in", sql`('delivered', 'cancelled')`)
      .execute();
}
