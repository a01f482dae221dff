import { type Kysely, sql } from "kysely";

/** Stars that students give their delivered orders, and each shop's count and sum of them. Nothing is rated yet. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const orders = () => db.schema.alterTable("orders");
  await orders()
    .addColumn("stars", "integer", (c) => c.check(sql`stars between 1 and 5`))
    .execute();
  await orders().addColumn("rated_at", "text").execute();

  const shops = () => db.schema.alterTable("shops");
  await shops()
    .addColumn("rating_count", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
  await shops()
    .addColumn("star_sum", "integer", (c) => c.notNull().defaultTo(0))
    .execute();
}
