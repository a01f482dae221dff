import { rm } from "node:fs/promises";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { bindPieces } from "../files/pdf.binding.service.ts";
import { getOrder, type OrderDetail } from "../queue/queue.detail.service.ts";
import { asStaff } from "../staff/staff.access.service.ts";
import { packPieces } from "./packs.pieces.ts";

/**
 * The order for staff who are about to print it. Throws UNAUTHENTICATED, FORBIDDEN, NOT_FOUND for an order of another
 * shop, and GONE once its files are deleted.
 */
export async function findPrintableOrder(ctx: Context, orderId: string): Promise<OrderDetail> {
  const { actor } = ctx;
  if (actor.kind === "guest") throw new AppError("UNAUTHENTICATED", "Please login to continue");
  const order = await getOrder({ ...ctx, actor: await asStaff(ctx, actor.user) }, { orderId });
  if (order.files.some(({ deletedAt }) => deletedAt)) {
    throw new AppError(
      "GONE",
      `The files of order ${order.number} have been deleted. They cannot be printed again`,
    );
  }
  return order;
}

/**
 * The print pack of an order as one PDF: a ticket, and the pages to print of every file in order. It is made while it
 * is read; that stops, and leaves nothing, when `signal` aborts or nobody reads on.
 */
export async function* makePack(
  ctx: Context,
  order: OrderDetail,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  const folder = await ctx.packs.openFolder();
  try {
    yield* bindPieces(`Order ${order.number}`, packPieces(ctx, order, { folder, signal }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
