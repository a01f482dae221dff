import type { Trx } from "#db/transaction.ts";

export async function insertWords(trx: Trx, orderId: string, words: string[]): Promise<void> {
  await trx
    .insertInto("order_words")
    .values(words.map((word) => ({ word, order_id: orderId })))
    .execute();
}
