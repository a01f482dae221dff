import { type CreateTableBuilder, type Kysely, SqliteAdapter, sql } from "kysely";

/** Payment by UPI and pickup at the shop. Shops offer neither until staff say so; standing orders are delivered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const create = (table: CreateTableBuilder<string, string>) =>
    (isSqlite ? table.modifyEnd(sql`strict`) : table).execute();
  const { schema } = db;

  await schema
    .alterTable("shops")
    .addColumn("upi_id", "text", (c) => c.notNull().defaultTo(""))
    .execute();
  await schema
    .alterTable("shops")
    .addColumn("offers_pickup", "integer", (c) =>
      c.notNull().defaultTo(0).check(sql`offers_pickup in (0, 1)`),
    )
    .execute();

  const orders = () => schema.alterTable("orders");
  await orders()
    .addColumn("fulfilment", "text", (c) =>
      c.notNull().defaultTo("delivery").check(sql`fulfilment in ('delivery', 'pickup')`),
    )
    .execute();
  await orders().addColumn("pickup_code", "text").execute();
  await orders()
    .addColumn("pickup_tries_left", "integer", (c) =>
      c.notNull().defaultTo(0).check(sql`pickup_tries_left >= 0`),
    )
    .execute();
  await orders().addColumn("paid_at", "text").execute();
  await orders()
    .addColumn("paid_by", "text", (c) => c.references("users.id"))
    .execute();

  await create(
    schema
      .createTable("order_payments")
      .addColumn("id", "text", (c) => c.notNull().primaryKey())
      .addColumn("order_id", "text", (c) => c.notNull().references("orders.id").onDelete("cascade"))
      .addColumn("paid", "integer", (c) => c.notNull().check(sql`paid in (0, 1)`))
      .addColumn("by_user_id", "text", (c) => c.notNull().references("users.id"))
      .addColumn("created_at", "text", (c) => c.notNull()),
  );
  await schema.createIndex("order_payments_order").on("order_payments").column("order_id").execute();

  await schema.alterTable("outbox").addColumn("images", "text").execute();
}
