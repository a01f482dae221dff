import { type Kysely, SqliteAdapter, sql } from "kysely";

/** Photos of shops that are kept where every server sees them. None is so far: a server kept them in its own folder. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const table = db.schema
    .createTable("shop_photos")
    .addColumn("storage_key", "text", (c) => c.notNull().primaryKey())
    .addColumn("image", "text", (c) => c.notNull())
    .addColumn("kept_at", "text", (c) => c.notNull())
    .addColumn("deleted_at", "text");
  await (isSqlite ? table.modifyEnd(sql`strict`) : table).execute();
  await db.schema.createIndex("shop_photos_image").on("shop_photos").column("image").execute();
}
