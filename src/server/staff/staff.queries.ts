import type { Db } from "#db/open.ts";
import type { Trx } from "#db/transaction.ts";
import { timedId } from "../timed-id.ts";

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

/** So long after they left somebody may still be told of a payment address and undo it: a day until the change, and a day after it. */
const FORMER_MS = 2 * 24 * 60 * 60 * 1000;

/** Keeps since when somebody is no owner of these shops any more, or no admin, which is null; and forgets who left long ago. */
export async function noteFormerStaff(
  trx: Trx,
  { userId, left, now }: { userId: string; left: readonly (string | null)[]; now: Date },
): Promise<void> {
  const longAgo = new Date(now.getTime() - FORMER_MS).toISOString();
  await trx.deleteFrom("former_staff").where("left_at", "<=", longAgo).execute();
  if (left.length === 0) return;
  const left_at = now.toISOString();
  await trx
    .insertInto("former_staff")
    .values(left.map((shop_id) => ({ id: timedId(), user_id: userId, shop_id, left_at })))
    .execute();
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
