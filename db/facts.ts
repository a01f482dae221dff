import type { Db } from "./database.ts";
import type { Trx } from "./transaction.ts";

/** What the store knows about itself: one row of `store_facts` each. */
export async function findFact(db: Db | Trx, name: string): Promise<string | undefined> {
  const row = await db.selectFrom("store_facts").select("value").where("name", "=", name).executeTakeFirst();
  return row?.value;
}

/** Records a fact once, whoever else does so at the same time; false when it was already recorded. */
export async function claimFact(db: Db | Trx, name: string, value: string): Promise<boolean> {
  const claimed = await db
    .insertInto("store_facts")
    .values({ name, value })
    .onConflict((conflict) => conflict.doNothing())
    .returning("name")
    .executeTakeFirst();
  return claimed !== undefined;
}

/** Changes a fact unless somebody else has; false when its value is no longer `from`. */
export async function changeFact(
  db: Db | Trx,
  name: string,
  { from, to }: { from: string; to: string },
): Promise<boolean> {
  const changed = await db
    .updateTable("store_facts")
    .set({ value: to })
    .where("name", "=", name)
    .where("value", "=", from)
    .returning("name")
    .executeTakeFirst();
  return changed !== undefined;
}
