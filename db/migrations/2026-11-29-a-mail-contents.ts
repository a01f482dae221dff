import type { Kysely } from "kysely";

/** Mails are kept as what they say. Those that are there already stay as they are, with both of their parts. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("outbox").addColumn("content", "text").execute();
}
