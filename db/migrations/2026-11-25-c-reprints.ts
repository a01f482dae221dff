import { type CreateTableBuilder, type Kysely, SqliteAdapter, sql } from "kysely";

/** Reports of printing errors, the photos in them, and orders that print another one again. Standing orders are none. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const create = (table: CreateTableBuilder<string, string>) =>
    (isSqlite ? table.modifyEnd(sql`strict`) : table).execute();
  const { schema } = db;

  await create(
    schema
      .createTable("reprints")
      .addColumn("id", "text", (c) => c.notNull().primaryKey())
      .addColumn("order_id", "text", (c) => c.notNull().unique().references("orders.id").onDelete("cascade"))
      .addColumn("state", "text", (c) =>
        c.notNull().check(sql`state in ('reported', 'accepted', 'declined', 'ordered')`),
      )
      .addColumn("reason", "text", (c) => c.notNull())
      .addColumn("created_at", "text", (c) => c.notNull())
      .addColumn("answer", "text", (c) => c.notNull())
      .addColumn("answered_at", "text")
      .addColumn("answered_by", "text", (c) => c.references("users.id")),
  );
  await schema
    .createIndex("reprints_reported")
    .on("reprints")
    .column("order_id")
    .where(sql.ref("state"), "=", sql.lit("reported"))
    .execute();

  await create(
    schema
      .createTable("reprint_photos")
      .addColumn("id", "text", (c) => c.notNull().primaryKey())
      .addColumn("owner_id", "text", (c) => c.notNull().references("users.id"))
      .addColumn("reprint_id", "text", (c) => c.references("reprints.id").onDelete("cascade"))
      .addColumn("position", "integer", (c) => c.notNull())
      .addColumn("bytes", "integer", (c) => c.notNull())
      .addColumn("created_at", "text", (c) => c.notNull())
      .addColumn("deleted_at", "text"),
  );
  await schema.createIndex("reprint_photos_reprint").on("reprint_photos").column("reprint_id").execute();
  await schema.createIndex("reprint_photos_owner").on("reprint_photos").column("owner_id").execute();

  await schema
    .alterTable("orders")
    .addColumn("reprint_of", "text", (c) => c.references("orders.id"))
    .execute();
  await schema.createIndex("orders_reprint_of").unique().on("orders").column("reprint_of").execute();
}
