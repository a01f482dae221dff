import { type Trx, transact } from "#db/transaction.ts";
import { hasRight } from "#shared/permissions.ts";
import type { PaidInput } from "#shared/schemas/board.ts";
import { requireRecentAuth } from "../../accounts/second-factor.service.ts";
import { recordAudit } from "../../audit/audit.service.ts";
import type { Context, StaffMember } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { uuidv7 } from "../../lib/crypto.ts";
import { recordEvent } from "../events/events.service.ts";
import type { OrderRow } from "../orders.queries.ts";
import { requireShopOrder } from "../orders.service.ts";
import { insertPayment, markPaid } from "./payments.queries.ts";

/**
 * Marks an order as paid or unpaid. Throws NOT_FOUND for an order of another shop, and CONFLICT if somebody was first or the
 * order is cancelled; for a refund FORBIDDEN without the right, and CONFIRMATION_REQUIRED without a recent login.
 */
export async function setPaid(ctx: Context<StaffMember>, input: PaidInput): Promise<void> {
  await transact(ctx.db, (trx) => storePaid(trx, ctx, input));
}

async function storePaid(trx: Trx, ctx: Context<StaffMember>, { orderId, paid }: PaidInput): Promise<void> {
  const { user, shops } = ctx.actor;
  const at = ctx.now().toISOString();
  if (!paid) {
    await requireShopOrder(trx, ctx, orderId);
    requireRefunder(ctx);
  }
  const isMarked = await markPaid(trx, { id: orderId, shops, stamp: paid ? { at, by: user._id } : null });
  const order = await requireShopOrder(trx, ctx, orderId);
  if (!isMarked) throw refusal(order, paid);
  await insertPayment(trx, {
    id: uuidv7(),
    order_id: orderId,
    paid: paid ? 1 : 0,
    by_user_id: user._id,
    created_at: at,
  });
  await recordAudit(trx, ctx, {
    action: paid ? "order.paid" : "order.unpaid",
    subject: { id: orderId, name: order.number },
    shopId: order.shop_id,
    before: { paid: !paid },
    after: { paid },
  });
  await recordEvent(trx, ctx, "paid", order);
}

function requireRefunder(ctx: Context<StaffMember>): void {
  if (!hasRight("refund", ctx.actor.user.role)) {
    throw new AppError("FORBIDDEN", "Only an owner of the shop can take a payment back");
  }
  requireRecentAuth(ctx);
}

function refusal({ number, paidByName }: OrderRow, paid: boolean): AppError {
  if (!paid) return new AppError("CONFLICT", `Order ${number} is not marked as paid any more`);
  if (!paidByName) return new AppError("CONFLICT", `Order ${number} is cancelled: there is nothing to pay`);
  return new AppError("CONFLICT", `${paidByName} was first: order ${number} is marked as paid already`);
}
