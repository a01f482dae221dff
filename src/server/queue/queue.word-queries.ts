import { PreparedInsert } from "#db/prepared-insert.ts";
import type { Placeholders } from "#db/prepared-query.ts";
import type { OrderWordTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";

const newWords = new PreparedInsert((db, rows: Placeholders<OrderWordTable>[]) =>
  db.insertInto("order_words").values(rows),
);

export async function insertWords(trx: Trx, orderId: string, words: string[]): Promise<void> {
  await newWords.rows(
    trx,
    words.map((word) => ({ word, order_id: orderId })),
  );
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
