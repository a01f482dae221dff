import type { Trx } from "#db/transaction.ts";
import { deleteWords, findNumbers, hasWords, insertWords, setSearchText } from "./queue.word-queries.ts";
import { type KnownStudent, orderText, studentWords } from "./queue.words.ts";

export { orderText } from "./queue.words.ts";

type Student = KnownStudent & { _id: string };

/** Has staff find the orders of a student who may never have ordered before. */
export async function indexStudent(trx: Trx, { _id, ...known }: Student): Promise<void> {
  if (!(await hasWords(trx, _id))) await insertWords(trx, _id, studentWords(known));
}

/** Has staff find the orders of this user by what they are known by now. */
export async function reindexStudent(trx: Trx, { _id, ...known }: Student): Promise<void> {
  await deleteWords(trx, _id);
  await insertWords(trx, _id, studentWords(known));
  for (const order of await findNumbers(trx, _id))
    await setSearchText(trx, order.id, orderText(order, known));
}
