import type { Kysely } from "kysely";

/** Who holds a mail is told apart from when it is due, so that a lease can be taken back and a pause between tries is not. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("outbox").addColumn("leased_until", "text").execute();
}
