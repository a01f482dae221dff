import type { Trx } from "#db/transaction.ts";

export async function insertWords(trx: Trx, orderId: string, words: string[]): Promise<void> {
  await trx
    .insertInto("order_words")
    .values(words.map((word) => ({ word, order_id: orderId })))
    .execute();
}

export async function deleteWords(trx: Trx, orderId: string): Promise<void> {
  await trx.deleteFrom("order_words").where("order_id", "=", orderId).execute();
}

/** The orders of this user, and what of their words stands in the orders themselves. */
export async function findIndexedOrders(
  trx: Trx,
  userId: string,
): Promise<{ id: string; number: string; email: string }[]> {
  return trx
    .selectFrom("orders")
    .select(["id", "number", "user_email as email"])
    .where("user_id", "=", userId)
    .execute();
}
