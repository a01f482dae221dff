import type { Trx } from "#db/transaction.ts";
import type { ReprintState } from "#shared/reprints.ts";
import type { ReprintOrderInput } from "#shared/schemas/reprints.ts";
import { requireAccount } from "../accounts/accounts.profile.service.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import type { LimitUse } from "../limits.ts";
import { storeReprint } from "../orders/orders.reprint.service.ts";
import { logChange } from "../queue/queue.log.service.ts";
import { findReport, findReportedOrder, type LinkedOrder, moveReport } from "./reprints.queries.ts";
import { orderNotFound } from "./reprints.view.service.ts";

/**
 * Orders the reprint that the shop has accepted, with the files that were uploaded again: once, and at no charge. Throws
 * NOT_FOUND for somebody else's order, CONFLICT where no reprint is accepted or it is ordered already, and what storing
 * a reprint throws.
 */
export async function orderReprint(ctx: Context<SignedIn>, input: ReprintOrderInput): Promise<LinkedOrder> {
  const use: LimitUse = ["orderAccount", ctx.actor.user._id];
  const order = await ctx.limits.within(use, (trx) => storeOrder(trx, ctx, input));
  ctx.wakeMail();
  ctx.queueBell.ring();
  return order;
}

async function storeOrder(
  trx: Trx,
  ctx: Context<SignedIn>,
  { orderId, ...files }: ReprintOrderInput,
): Promise<LinkedOrder> {
  const userId = ctx.actor.user._id;
  await requireAccount(trx, userId);
  const original = await findReportedOrder(trx, orderId);
  if (original?.student.id !== userId) throw orderNotFound();
  if (!(await moveReport(trx, { orderId, from: "accepted", to: "ordered" }))) {
    throw refusal((await findReport(trx, orderId))?.state);
  }
  const { id, number } = await storeReprint(trx, ctx, { ...files, originalId: orderId });
  const { state, shop } = original;
  await logChange(trx, ctx, { kind: "reprint", orderId, shopId: shop.id, state });
  return { id, number };
}

function refusal(state: ReprintState | undefined): AppError {
  const message =
    state === "ordered"
      ? "This reprint is ordered already"
      : "The shop has not accepted a reprint of this order";
  return new AppError("CONFLICT", message);
}
