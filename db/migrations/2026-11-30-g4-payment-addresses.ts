import { type Kysely, SqliteAdapter, sql } from "kysely";

/**
 * Changes of shops' payment addresses, which can be undone by the link in a mail, and who was an owner or an admin until
 * lately, who is told of them too. There are none so far.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const table = db.schema
    .createTable("payment_address_changes")
    .addColumn("id", "text", (c) => c.notNull().primaryKey())
    .addColumn("shop_id", "text", (c) => c.notNull().references("shops.id").onDelete("cascade"))
    .addColumn("old_upi_id", "text", (c) => c.notNull())
    .addColumn("new_upi_id", "text", (c) => c.notNull())
    .addColumn("standing_upi_id", "text", (c) => c.notNull())
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
  const former = db.schema
    .createTable("former_staff")
    .addColumn("id", "text", (c) => c.notNull().primaryKey())
    .addColumn("user_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("shop_id", "text", (c) => c.references("shops.id").onDelete("cascade"))
    .addColumn("left_at", "text", (c) => c.notNull());
  await (isSqlite ? former.modifyEnd(sql`strict`) : former).execute();
  await db.schema
    .createIndex("former_staff_shop")
    .on("former_staff")
    .columns(["shop_id", "left_at"])
    .execute();
  await db.schema.createIndex("former_staff_user").on("former_staff").column("user_id").execute();
  await db.schema.createIndex("former_staff_time").on("former_staff").column("left_at").execute();
}
