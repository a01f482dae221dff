import type { Db } from "#db/database.ts";
import { changeFact, claimFact, findFact } from "#db/facts.ts";

/** The row of `store_facts` that says where the files are. */
export const LOCATION_FACT = "storage-location";

/** Where the store's files are; undefined where it was never recorded. */
export function findLocation(db: Db): Promise<string | undefined> {
  return findFact(db, LOCATION_FACT);
}

/** Records where the files are; the first of several servers decides. */
export async function insertLocation(db: Db, value: string): Promise<void> {
  await claimFact(db, LOCATION_FACT, value);
}

export async function changeLocation(db: Db, change: { from: string; to: string }): Promise<void> {
  await changeFact(db, LOCATION_FACT, change);
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

export async function insertPendingUpload(db: Db, key: string, at: string): Promise<void> {
  await db.insertInto("pending_files").values({ storage_key: key, seen_at: at }).execute();
}

/** Says that the file is still being stored; false if a cleanup has removed it meanwhile. */
export async function renewPendingUpload(db: Db, key: string, at: string): Promise<boolean> {
  const row = await db
    .updateTable("pending_files")
    .set({ seen_at: at })
    .where("storage_key", "=", key)
    .returning("storage_key")
    .executeTakeFirst();
  return row !== undefined;
}

export async function deletePendingUpload(db: Db, key: string): Promise<void> {
  await db.deleteFrom("pending_files").where("storage_key", "=", key).execute();
}

/** The keys whose last heartbeat was not after `before`. */
export async function findStalePendingUploads(db: Db, before: string): Promise<string[]> {
  const rows = await db
    .selectFrom("pending_files")
    .select("storage_key")
    .where("seen_at", "<=", before)
    .execute();
  return rows.map((row) => row.storage_key);
}
