import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { getOwnOrder } from "./orders.detail.service.ts";
import { receiptOf } from "./orders.receipt-facts.ts";

/** The receipt of an order as a PDF, for who placed it. Throws NOT_FOUND for everybody else, as for no order at all. */
export async function makeReceipt(
  ctx: Context,
  orderId: string,
): Promise<{ number: string; pdf: Uint8Array<ArrayBuffer> }> {
  const { actor } = ctx;
  if (actor.kind === "guest") {
    throw new AppError("NOT_FOUND", "This order was not found. Please log in as who placed it");
  }
  await ctx.limits.use("receiptAccount", actor.user._id);
  const order = await getOwnOrder({ ...ctx, actor }, { orderId });
  const pdf = await ctx.receipts.draw(receiptOf(ctx, order, actor.user));
  if (!pdf) throw new AppError("UNAVAILABLE", "The receipt could not be made just now. Please try again");
  return { number: order.number, pdf };
}
