import { type Kysely, SqliteAdapter, sql } from "kysely";

/** Changes of shops' payment addresses that can still be undone by the link in a mail. None is so far. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const table = db.schema
    .createTable("payment_address_changes")
    .addColumn("id", "text", (c) => c.notNull().primaryKey())
    .addColumn("shop_id", "text", (c) => c.notNull().references("shops.id").onDelete("cascade"))
    .addColumn("old_upi_id", "text", (c) => c.notNull())
    .addColumn("new_upi_id", "text", (c) => c.notNull())
    .addColumn("changed_by", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("changed_at", "text", (c) => c.notNull())
    .addColumn("token_hash", "text", (c) => c.notNull().unique());
  await (isSqlite ? table.modifyEnd(sql`strict`) : table).execute();
  await db.schema
    .createIndex("payment_address_changes_shop")
    .on("payment_address_changes")
    .columns(["shop_id", "changed_at"])
    .execute();
  await db.schema
    .createIndex("payment_address_changes_person")
    .on("payment_address_changes")
    .column("changed_by")
    .execute();
}
