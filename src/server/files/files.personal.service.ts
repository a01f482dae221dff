import type { Db } from "#db/open.ts";
import type { Trx } from "#db/transaction.ts";
import {
  blankFiles,
  findUnorderedFiles,
  markOwnerFilesDeleted,
  type UnorderedFile,
} from "./files.personal-queries.ts";

/** The user's uploads that were never ordered; those that were stand with their orders. */
export function exportFiles(db: Db, ownerId: string): Promise<UnorderedFile[]> {
  return findUnorderedFiles(db, ownerId);
}

/**
 * Takes every file of this user out of everyone's reach, and its name with it. The caller calls `wakeEraser` after the
 * commit, which removes the bytes.
 */
export async function forgetFiles(trx: Trx, owner: { ownerId: string; at: string }): Promise<void> {
  await markOwnerFilesDeleted(trx, owner);
  await blankFiles(trx, owner.ownerId, "Deleted file");
}
