import type { Trx } from "#db/transaction.ts";
import type { OrderState } from "#shared/order-states.ts";

/** An order as far as its rating needs to know it. */
export interface RatedOrder {
  number: string;
  shopId: string;
  state: OrderState;
  /** Null while it is not rated. */
  stars: number | null;
}

/** An order of this user; undefined where there is none, and where it is somebody else's. */
export async function findRated(
  trx: Trx,
  { orderId, userId }: { orderId: string; userId: string },
): Promise<RatedOrder | undefined> {
  return trx
    .selectFrom("orders")
    .select(["number", "shop_id as shopId", "state", "stars"])
    .where("id", "=", orderId)
    .where("user_id", "=", userId)
    .executeTakeFirst();
}

export async function updateStars(
  trx: Trx,
  { orderId, stars, at }: { orderId: string; stars: number; at: string },
): Promise<void> {
  await trx.updateTable("orders").set({ stars, rated_at: at }).where("id", "=", orderId).execute();
}
