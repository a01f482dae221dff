import type { Db } from "#db/open.ts";
import type { Trx } from "#db/transaction.ts";

export async function findShopIdsOf(db: Db | Trx, userId: string): Promise<string[]> {
  const rows = await db.selectFrom("shop_staff").select("shop_id").where("user_id", "=", userId).execute();
  return rows.map((row) => row.shop_id);
}

/** The shops of each owner and of all counter staff. */
export async function findShopIdsByUser(db: Db | Trx): Promise<Map<string, string[]>> {
  const rows = await db.selectFrom("shop_staff").select(["user_id", "shop_id"]).execute();
  const byUser = Map.groupBy(rows, (row) => row.user_id);
  return new Map([...byUser].map(([userId, group]) => [userId, group.map((row) => row.shop_id)]));
}

/** Makes these the shops of this person; without any, nothing is left of their work at shops. */
export async function replaceShopsOf(
  trx: Trx,
  { userId, shopIds, now }: { userId: string; shopIds: readonly string[]; now: string },
): Promise<void> {
  await trx.deleteFrom("shop_staff").where("user_id", "=", userId).execute();
  await addShopsOf(trx, { userId, shopIds, now });
}

/** Adds these to the shops of this person. */
export async function addShopsOf(
  trx: Trx,
  { userId, shopIds, now }: { userId: string; shopIds: readonly string[]; now: string },
): Promise<void> {
  if (shopIds.length === 0) return;
  await trx
    .insertInto("shop_staff")
    .values(shopIds.map((shop_id) => ({ user_id: userId, shop_id, created_at: now })))
    .onConflict((conflict) => conflict.columns(["user_id", "shop_id"]).doNothing())
    .execute();
}
