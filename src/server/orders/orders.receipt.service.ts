import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { getOwnOrder } from "./orders.detail.service.ts";
import { receiptOf } from "./orders.receipt-facts.ts";

/**
 * The receipt of an order as a PDF, for who placed it. Throws NOT_FOUND for everybody else, as for no order at all. It
 * is not made any more once `signal` aborts.
 */
export async function makeReceipt(
  ctx: Context,
  orderId: string,
  signal: AbortSignal,
): Promise<{ number: string; pdf: Uint8Array<ArrayBuffer> }> {
  const { actor } = ctx;
  if (actor.kind === "guest") {
    throw new AppError("NOT_FOUND", "This order was not found. Please log in as who placed it");
  }
  await ctx.limits.use("receiptAccount", actor.user._id);
  const order = await getOwnOrder({ ...ctx, actor }, { orderId });
  const receipt = receiptOf(ctx, order, actor.user);
  const drawing = await ctx.sheets.draw({ receipt }, { account: actor.user._id, signal });
  if (!drawing) throw new AppError("UNAVAILABLE", "The receipt could not be made just now. Please try again");
  return { number: order.number, pdf: drawing.bytes };
}
