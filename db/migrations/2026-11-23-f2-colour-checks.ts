import { type Kysely, sql } from "kysely";

/** Few files wait to be looked at for colour at any time, so finding the next one stays cheap however many there are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createIndex("files_colour_unchecked")
    .on("files")
    .column("created_at")
    .where(sql.ref("colour_checked_pages"), "is", null)
    .where(sql.ref("deleted_at"), "is", null)
    .execute();
}
