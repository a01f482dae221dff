import { type Kysely, sql } from "kysely";

/** An index by which is added up what all files take that are not ordered. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("files_unordered_bytes")
    .on("files")
    .column("bytes")
    .where(sql.ref("order_id"), "is", null)
    .where(sql.ref("deleted_at"), "is", null)
    .execute();
}
