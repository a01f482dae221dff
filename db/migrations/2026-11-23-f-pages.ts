import type { Kysely } from "kysely";

/** Which pages of a file are printed, and which hold colour. Orders that stand already are for all pages. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("order_files").addColumn("page_ranges", "text").execute();
  await db.schema.alterTable("files").addColumn("colour_pages", "text").execute();
  await db.schema.alterTable("files").addColumn("colour_checked_pages", "integer").execute();
}
