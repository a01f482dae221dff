import { type Kysely, SqliteAdapter, sql } from "kysely";

/** What was used of each limit. Nothing is carried over: until now it was kept in memory. */
export async function up(db: Kysely<unknown>): Promise<void> {
  const isSqlite = db.getExecutor().adapter instanceof SqliteAdapter;
  const table = db.schema
    .createTable("rate_limits")
    .addColumn("key", "text", (c) => c.notNull().primaryKey())
    .addColumn("points", "integer", (c) => c.notNull())
    .addColumn("expires_at", "text", (c) => c.notNull());
  await (isSqlite ? table.modifyEnd(sql`strict`) : table).execute();
  await db.schema.createIndex("rate_limits_expires_at").on("rate_limits").column("expires_at").execute();
}
