import type { Db } from "#db/open.ts";
import type { ReprintTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";

/** The reports of this user, the newest first. */
export async function findReportsOf(
  db: Db,
  userId: string,
): Promise<(ReprintTable & { orderNumber: string })[]> {
  return db
    .selectFrom("reprints")
    .innerJoin("orders", "orders.id", "reprints.order_id")
    .selectAll("reprints")
    .select("orders.number as orderNumber")
    .where("orders.user_id", "=", userId)
    .orderBy("reprints.created_at", "desc")
    .execute();
}

/** Takes this user's photos out of everyone's reach and out of their reports. */
export async function releasePhotosOf(
  trx: Trx,
  { ownerId, at }: { ownerId: string; at: string },
): Promise<void> {
  await trx
    .updateTable("reprint_photos")
    .set({ deleted_at: at, reprint_id: null })
    .where("owner_id", "=", ownerId)
    .execute();
}

export async function deleteReportsOf(trx: Trx, userId: string): Promise<void> {
  await trx
    .deleteFrom("reprints")
    .where("order_id", "in", (eb) => eb.selectFrom("orders").select("id").where("user_id", "=", userId))
    .execute();
}
