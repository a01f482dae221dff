import type { Kysely } from "kysely";

/** What is rarely done is found in the log without reading past all that is done daily. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("audit_log_action")
    .on("audit_log")
    .columns(["action", "created_at", "id"])
    .execute();
}
