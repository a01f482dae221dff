import { type Kysely, sql } from "kysely";

/** A list of mails is narrowed by recipient within the index that orders it, and to the unsent by an index of theirs. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.dropIndex("outbox_time").execute();
  await db.schema
    .createIndex("outbox_addressed")
    .on("outbox")
    .columns(["created_at", "id", "recipient"])
    .execute();
  await db.schema
    .createIndex("outbox_unsent")
    .on("outbox")
    .columns(["created_at", "id", "failed_at"])
    .where(sql.ref("sent_at"), "is", null)
    .execute();
}
