import type { Insertable } from "kysely";
import type { Db } from "#db/open.ts";
import type { FileTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";

export type FileRecord = Readonly<FileTable>;
/** What is needed to take a file's bytes out of the store. */
export type StoredFile = Pick<FileRecord, "id" | "storage_key">;

export async function insertFile(db: Db, file: Insertable<FileTable>): Promise<void> {
  await db.insertInto("files").values(file).execute();
}

/** Takes back an insert whose bytes could not be kept. */
export async function deleteFileRow(db: Db, id: string): Promise<void> {
  await db.deleteFrom("files").where("id", "=", id).execute();
}

export async function findFile(db: Db, id: string): Promise<FileRecord | undefined> {
  return db.selectFrom("files").selectAll().where("id", "=", id).executeTakeFirst();
}

/** This user's files among `ids`, deleted and ordered ones too, in no order. */
export async function findFilesOf(db: Db | Trx, ownerId: string, ids: string[]): Promise<FileRecord[]> {
  return db.selectFrom("files").selectAll().where("owner_id", "=", ownerId).where("id", "in", ids).execute();
}

/** Gives those of this user's files to the order that are still there and in no order; answers their ids. */
export async function claimFiles(
  trx: Trx,
  { orderId, ownerId, fileIds }: { orderId: string; ownerId: string; fileIds: string[] },
): Promise<string[]> {
  const claimed = await trx
    .updateTable("files")
    .set({ order_id: orderId })
    .where("id", "in", fileIds)
    .where("owner_id", "=", ownerId)
    .where("order_id", "is", null)
    .where("deleted_at", "is", null)
    .returning("id")
    .execute();
  return claimed.map((row) => row.id);
}

/** Marks this user's file deleted unless it is ordered or deleted already; undefined then. */
export async function markDeleted(
  db: Db,
  { id, ownerId, at }: { id: string; ownerId: string; at: string },
): Promise<StoredFile | undefined> {
  return db
    .updateTable("files")
    .set({ deleted_at: at })
    .where("id", "=", id)
    .where("owner_id", "=", ownerId)
    .where("order_id", "is", null)
    .where("deleted_at", "is", null)
    .returning(["id", "storage_key"])
    .executeTakeFirst();
}

/** Marks every file deleted that came before `before` and was never ordered. */
export async function markUnorderedDeleted(
  db: Db,
  { before, at }: { before: string; at: string },
): Promise<void> {
  await db
    .updateTable("files")
    .set({ deleted_at: at })
    .where("created_at", "<", before)
    .where("order_id", "is", null)
    .where("deleted_at", "is", null)
    .execute();
}

/** Deleted files whose bytes may still be in the store. */
export async function findFilesToErase(db: Db): Promise<StoredFile[]> {
  return db
    .selectFrom("files")
    .select(["id", "storage_key"])
    .where("deleted_at", "is not", null)
    .where("erased_at", "is", null)
    .orderBy("deleted_at")
    .execute();
}

export async function markErased(db: Db, id: string, at: string): Promise<void> {
  await db.updateTable("files").set({ erased_at: at }).where("id", "=", id).execute();
}
