import type { Db } from "#db/open.ts";

/** The fact of the store by which its files are found. */
export const HOME_FACT = "files-home";

/** Where the store's files are; undefined for a store that has not noted it. */
export async function findHome(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom("store_facts")
    .select("value")
    .where("name", "=", HOME_FACT)
    .executeTakeFirst();
  return row?.value;
}

/** Notes where the files are; the first of several servers decides. */
export async function insertHome(db: Db, value: string): Promise<void> {
  await db
    .insertInto("store_facts")
    .values({ name: HOME_FACT, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function changeHome(db: Db, { from, to }: { from: string; to: string }): Promise<void> {
  await db
    .updateTable("store_facts")
    .set({ value: to })
    .where("name", "=", HOME_FACT)
    .where("value", "=", from)
    .execute();
}

/** Whether there are uploads whose bytes are, or may be, in the store. */
export async function hasUploads(db: Db): Promise<boolean> {
  const row = await db
    .selectFrom("files")
    .select("id")
    .where("erased_at", "is", null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether there is any photo whose bytes are, or may be, in the file store. */
export async function hasReportPhotos(db: Db): Promise<boolean> {
  const row = await db.selectFrom("reprint_photos").select("id").limit(1).executeTakeFirst();
  return row !== undefined;
}
