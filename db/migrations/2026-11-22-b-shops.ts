import { type CreateTableBuilder, type Kysely, SqliteAdapter, sql } from "kysely";

export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const create = (table: CreateTableBuilder<string, string>) =>
    (isSqlite ? table.modifyEnd(sql`strict`) : table).execute();
  const shops = () => db.schema.alterTable("shops");

  await shops()
    .addColumn("is_open", "integer", (c) => c.notNull().defaultTo(1).check(sql`is_open in (0, 1)`))
    .execute();
  await shops()
    .addColumn("closed_note", "text", (c) => c.notNull().defaultTo(""))
    .execute();
  await shops()
    .addColumn("hidden", "integer", (c) => c.notNull().defaultTo(0).check(sql`hidden in (0, 1)`))
    .execute();
  await shops()
    .addColumn("version", "integer", (c) => c.notNull().defaultTo(1))
    .execute();
  await shops().addColumn("saved_by", "text").execute();
  await shops().addColumn("saved_at", "text").execute();

  await create(
    db.schema
      .createTable("price_lists")
      .addColumn("shop_id", "text", (c) =>
        c.notNull().primaryKey().references("shops.id").onDelete("cascade"),
      )
      .addColumn("version", "integer", (c) => c.notNull())
      .addColumn("saved_by", "text", (c) => c.notNull())
      .addColumn("saved_at", "text", (c) => c.notNull()),
  );
}
