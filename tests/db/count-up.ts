import { openDatabase } from "#db/open.ts";
import { type Trx, transact } from "#db/transaction.ts";

/** Adds one to the fact "count" so many times, as a process of its own: each time it reads, and then writes. */
const [url = "", times = "0"] = process.argv.slice(2);
const { db, close } = await openDatabase(url);
for (let i = 0; i < Number(times); i++) await transact(db, addOne);
await close();

async function addOne(trx: Trx): Promise<void> {
  const { value } = await trx
    .selectFrom("store_facts")
    .select("value")
    .where("name", "=", "count")
    .executeTakeFirstOrThrow();
  await trx
    .updateTable("store_facts")
    .set({ value: String(Number(value) + 1) })
    .where("name", "=", "count")
    .execute();
}
