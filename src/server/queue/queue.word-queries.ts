import { PreparedInsert } from "#db/prepared-insert.ts";
import { type Placeholders, PreparedQuery } from "#db/prepared-query.ts";
import type { StudentWordTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";

const newWords = new PreparedInsert((db, rows: Placeholders<StudentWordTable>[]) =>
  db
    .insertInto("student_words")
    .values(rows)
    .onConflict((conflict) => conflict.doNothing()),
);
const someWord = new PreparedQuery((db, { userId }: Placeholders<{ userId: string }>) =>
  db.selectFrom("student_words").select("word").where("user_id", "=", userId).limit(1),
);

export async function hasWords(trx: Trx, userId: string): Promise<boolean> {
  return (await someWord.first(trx, { userId })) !== undefined;
}

/** Those that are there already stay. */
export async function insertWords(trx: Trx, userId: string, words: string[]): Promise<void> {
  await newWords.rows(
    trx,
    words.map((word) => ({ word, user_id: userId })),
  );
}

export async function deleteWords(trx: Trx, userId: string): Promise<void> {
  await trx.deleteFrom("student_words").where("user_id", "=", userId).execute();
}

export async function findNumbers(trx: Trx, userId: string): Promise<{ id: string; number: string }[]> {
  return trx.selectFrom("orders").select(["id", "number"]).where("user_id", "=", userId).execute();
}

export async function setSearchText(trx: Trx, orderId: string, text: string): Promise<void> {
  await trx.updateTable("orders").set({ search_text: text }).where("id", "=", orderId).execute();
}
