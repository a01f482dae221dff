import { holdRow } from "#db/row-locks.ts";
import { type Trx, transact } from "#db/transaction.ts";
import type { RateInput } from "#shared/schemas/ratings.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import { countRating } from "../shops/shops.service.ts";
import { findRated, updateStars } from "./ratings.queries.ts";

/**
 * Gives one of the caller's own delivered orders its stars, or others than before. Throws NOT_FOUND for an order of
 * somebody else, and CONFLICT for one that is not delivered.
 */
export async function rateOrder(ctx: Context<SignedIn>, input: RateInput): Promise<void> {
  await transact(ctx.db, (trx) => storeRating(trx, ctx, input));
}

async function storeRating(trx: Trx, ctx: Context<SignedIn>, { orderId, stars }: RateInput): Promise<void> {
  await holdRow(trx, "orders", orderId);
  const order = await findRated(trx, { orderId, userId: ctx.actor.user._id });
  if (!order) throw new AppError("NOT_FOUND", "This order was not found");
  const { number, shopId, state, stars: before } = order;
  if (state !== "delivered") {
    throw new AppError("CONFLICT", `Order ${number} is not delivered. It can be rated once it is`);
  }
  await updateStars(trx, { orderId, stars, at: ctx.now().toISOString() });
  await countRating(trx, shopId, { before, after: stars });
}
