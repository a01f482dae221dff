import type { Db } from "#db/open.ts";
import type { Trx } from "#db/transaction.ts";

export interface UnorderedFile {
  name: string;
  bytes: number;
  pages: number;
  uploadedAt: string;
  /** When its bytes left the store. */
  deletedAt: string | null;
}

/** Uploads of this user that are in no order, the newest first. */
export async function findUnorderedFiles(db: Db, ownerId: string): Promise<UnorderedFile[]> {
  return db
    .selectFrom("files")
    .select(["original_filename as name", "bytes", "pages"])
    .select(["created_at as uploadedAt", "erased_at as deletedAt"])
    .where("owner_id", "=", ownerId)
    .where("order_id", "is", null)
    .orderBy("created_at", "desc")
    .execute();
}

/** Marks those of this user's files deleted that are not. */
export async function markOwnerFilesDeleted(
  trx: Trx,
  { ownerId, at }: { ownerId: string; at: string },
): Promise<void> {
  await trx
    .updateTable("files")
    .set({ deleted_at: at, deleted_by: ownerId })
    .where("owner_id", "=", ownerId)
    .where("deleted_at", "is", null)
    .execute();
}

/** Takes out of the rows of this user's files what says what was in them. */
export async function blankFiles(trx: Trx, ownerId: string, name: string): Promise<void> {
  await trx
    .updateTable("files")
    .set({ original_filename: name, sha256: "" })
    .where("owner_id", "=", ownerId)
    .execute();
}
