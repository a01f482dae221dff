import type { Trx } from "#db/transaction.ts";
import { deleteWords, findIndexedOrders, insertWords } from "./queue.word-queries.ts";
import { orderWords } from "./queue.words.ts";

/** Has staff find the orders of this user by the name and the phone that they go by now. */
export async function reindexStudent(
  trx: Trx,
  { _id, fullName, phone }: { _id: string; fullName: string; phone: string },
): Promise<void> {
  for (const { id, number, email } of await findIndexedOrders(trx, _id)) {
    await deleteWords(trx, id);
    await insertWords(trx, id, orderWords({ number, studentName: fullName, phone, email }));
  }
}
