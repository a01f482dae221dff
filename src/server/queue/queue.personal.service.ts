import type { Trx } from "#db/transaction.ts";
import { deleteNotesAbout } from "./queue.detail-queries.ts";
import { reindexStudent } from "./queue.words.service.ts";

/**
 * Has staff find the orders of this user by their numbers alone, and forgets what staff wrote about them. To be called
 * when the orders themselves name nobody any more.
 */
export async function forgetStudent(trx: Trx, userId: string): Promise<void> {
  await reindexStudent(trx, { _id: userId, fullName: "", phone: "", email: "" });
  await deleteNotesAbout(trx, userId);
}
