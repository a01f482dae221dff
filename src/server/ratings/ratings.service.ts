import { type Trx, transact } from "#db/transaction.ts";
import type { RateInput } from "#shared/schemas/ratings.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import { countRating } from "../shops/shops.service.ts";
import { findRated, replaceStars } from "./ratings.queries.ts";

/**
 * Gives one of the caller's own delivered orders its stars, or others than before. Throws NOT_FOUND for an order of
 * somebody else, and CONFLICT for one that is not delivered.
 */
export async function rateOrder(ctx: Context<SignedIn>, input: RateInput): Promise<void> {
  await transact(ctx.db, (trx) => storeRating(trx, ctx, input));
}

async function storeRating(trx: Trx, ctx: Context<SignedIn>, { orderId, stars }: RateInput): Promise<void> {
  const order = await findRated(trx, { orderId, userId: ctx.actor.user._id });
  if (!order) throw new AppError("NOT_FOUND", "This order was not found");
  const { number, shopId, state, stars: before } = order;
  if (state !== "delivered") {
    throw new AppError("CONFLICT", `Order ${number} is not delivered. It can be rated once it is`);
  }
  if (!(await replaceStars(trx, { orderId, from: before, to: stars, at: ctx.now().toISOString() }))) {
    throw new AppError("CONFLICT", `Order ${number} was rated elsewhere just now. Please try again`);
  }
  await countRating(trx, shopId, { before, after: stars });
}
