import type { Db } from "#db/open.ts";

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
