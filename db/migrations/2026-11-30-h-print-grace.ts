import { type Kysely, sql } from "kysely";

/**
 * The time of grace after printing: until when an order's files are kept, and which mail said that it is ready, so that both
 * can be taken back. Orders that are printed already have lost their files.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("orders").addColumn("files_delete_at", "text").execute();
  await db.schema
    .createIndex("orders_files_delete")
    .on("orders")
    .column("files_delete_at")
    .where(sql`files_delete_at`, "is not", null)
    .execute();
  await db.schema.alterTable("order_mails").addColumn("mail_id", "text").execute();
}
