import { type Kysely, SqliteAdapter, sql } from "kysely";

/** What servers that share a database do with files: which are being kept, and which one of them works on. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const table = db.schema
    .createTable("file_keepings")
    .addColumn("storage_key", "text", (c) => c.notNull().primaryKey())
    .addColumn("seen_at", "text", (c) => c.notNull());
  await (isSqlite ? table.modifyEnd(sql`strict`) : table).execute();
  await db.schema.createIndex("file_keepings_seen").on("file_keepings").column("seen_at").execute();
  await db.schema.alterTable("files").addColumn("taken_until", "text").execute();
}
