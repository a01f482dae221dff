import type { Db } from "#db/open.ts";

/** The fact of the store by which its files are found. */
export const HOME_FACT = "files-home";

/** Where the store's files are; undefined for a store that has not noted it. */
export async function findLocation(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom("store_facts")
    .select("value")
    .where("name", "=", HOME_FACT)
    .executeTakeFirst();
  return row?.value;
}

/** Notes where the files are; the first of several servers decides. */
export async function insertLocation(db: Db, value: string): Promise<void> {
  await db
    .insertInto("store_facts")
    .values({ name: HOME_FACT, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function changeLocation(db: Db, { from, to }: { from: string; to: string }): Promise<void> {
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

export async function insertKeeping(db: Db, key: string, at: string): Promise<void> {
  await db.insertInto("file_keepings").values({ storage_key: key, seen_at: at }).execute();
}

/** Notes that the file is still being kept; false where somebody has cleared it away meanwhile. */
export async function renewKeeping(db: Db, key: string, at: string): Promise<boolean> {
  const row = await db
    .updateTable("file_keepings")
    .set({ seen_at: at })
    .where("storage_key", "=", key)
    .returning("storage_key")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deleteKeeping(db: Db, key: string): Promise<void> {
  await db.deleteFrom("file_keepings").where("storage_key", "=", key).execute();
}

/** The keys of which nothing was heard since `before`. */
export async function findSilentKeepings(db: Db, before: string): Promise<string[]> {
  const rows = await db
    .selectFrom("file_keepings")
    .select("storage_key")
    .where("seen_at", "<=", before)
    .execute();
  return rows.map((row) => row.storage_key);
}
