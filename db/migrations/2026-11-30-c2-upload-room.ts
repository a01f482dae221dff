import { type Kysely, SqliteAdapter, sql } from "kysely";

/** Room that uploads under way have taken, and indexes by which is added up what an account's files take. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const table = db.schema
    .createTable("upload_reservations")
    .addColumn("id", "text", (c) => c.notNull().primaryKey())
    .addColumn("owner_id", "text", (c) => c.notNull().references("users.id").onDelete("cascade"))
    .addColumn("bytes", "integer", (c) => c.notNull())
    .addColumn("expires_at", "text", (c) => c.notNull());
  await (isSqlite ? table.modifyEnd(sql`strict`) : table).execute();
  await db.schema
    .createIndex("upload_reservations_owner")
    .on("upload_reservations")
    .column("owner_id")
    .execute();
  await db.schema
    .createIndex("files_held")
    .on("files")
    .columns(["owner_id", "order_id", "bytes"])
    .where(sql.ref("erased_at"), "is", null)
    .execute();
  await db.schema
    .createIndex("reprint_photos_owner_unsent")
    .on("reprint_photos")
    .columns(["owner_id", "bytes"])
    .where(sql.ref("reprint_id"), "is", null)
    .execute();
}
