import type { Db } from "#db/open.ts";
import type { Trx } from "#db/transaction.ts";

/** The printed orders whose time of grace was over at this moment, the longest first. */
export async function findDueOrders(db: Db, at: string): Promise<string[]> {
  const rows = await db
    .selectFrom("orders")
    .select("id")
    .where("files_delete_at", "<=", at)
    .orderBy("files_delete_at")
    .execute();
  return rows.map(({ id }) => id);
}

/** Ends an order's time of grace; undefined where it went on or back meanwhile, or another server was first. */
export async function endGrace(trx: Trx, { orderId, at }: { orderId: string; at: string }) {
  return trx
    .updateTable("orders")
    .set({ files_delete_at: null })
    .where("id", "=", orderId)
    .where("files_delete_at", "<=", at)
    .returning(["shop_id as shopId", "state"])
    .executeTakeFirst();
}
