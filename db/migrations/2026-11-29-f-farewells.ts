import { type Kysely, sql } from "kysely";

/** Farewells to deleted accounts are found without going through all the mails that were ever sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("outbox_farewells")
    .on("outbox")
    .column("created_at")
    .where(sql`kind`, "=", sql`'account-deleted'`)
    .execute();
}
