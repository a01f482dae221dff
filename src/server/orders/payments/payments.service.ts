import type { PaymentTable } from "#db/schema.ts";
import { type Trx, transact } from "#db/transaction.ts";
import type { AuditAction } from "#shared/audit-actions.ts";
import { indianDay } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { awaitsPickup } from "#shared/order-states.ts";
import { duePaise, type PaymentKind, refundDuePaise } from "#shared/payment.ts";
import { hasRight } from "#shared/permissions.ts";
import type { RefundInput, ReverseInput, TakePaymentInput } from "#shared/schemas/payments.ts";
import { requireRecentAuth } from "../../accounts/second-factor.service.ts";
import { recordAudit } from "../../audit/audit.service.ts";
import type { Context, Deps, StaffMember } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { uuidv7 } from "../../lib/crypto.ts";
import { renewReadyMail } from "../board/moves.mails.ts";
import { recordLiveEvent } from "../live/live.service.ts";
import { type OrderRow, updateOrder } from "../orders.queries.ts";
import { lockShopOrder, moneyOf, paidSince } from "../orders.service.ts";
import { lockInvoices } from "./invoices.queries.ts";
import { issueNote } from "./invoices.service.ts";
import {
  findByKey,
  findPayments,
  insertPayment,
  lockOpenDay,
  type PaymentEntry,
} from "./payments.queries.ts";

/** Takes a payment for an order. Throws what `recordPayment` throws. */
export async function takePayment(ctx: Context<StaffMember>, input: TakePaymentInput): Promise<void> {
  await transact(ctx.db, (trx) => recordPayment(trx, ctx, input));
}

/** Gives money back. Throws as `takePayment`, and FORBIDDEN without the right, CONFIRMATION_REQUIRED without a recent login. */
export async function refundPayment(ctx: Context<StaffMember>, input: RefundInput): Promise<void> {
  await transact(ctx.db, (trx) => recordRefund(trx, ctx, input));
}

/** Reverses a payment or refund that was entered by mistake, once. Throws as `refundPayment`. */
export async function reversePayment(ctx: Context<StaffMember>, input: ReverseInput): Promise<void> {
  await transact(ctx.db, (trx) => recordReversal(trx, ctx, input));
}

/**
 * Records a payment within the caller's transaction, and returns the locked order; sent again with the same key, it is recorded
 * once. Throws NOT_FOUND for an order of another shop, and CONFLICT if the order is cancelled or less is left to pay.
 */
export async function recordPayment(
  trx: Trx,
  ctx: Context<StaffMember>,
  { orderId, method, amountPaise, key }: TakePaymentInput,
): Promise<OrderRow> {
  const order = await lockShopOrder(trx, ctx, orderId);
  const entry = {
    kind: "payment",
    method,
    amountPaise,
    creditedPaise: 0,
    key,
    reason: "",
    reverses: null,
  } as const;
  if (await isRecorded(trx, order, entry)) return order;
  if (amountPaise > duePaise(moneyOf(order))) throw await paymentRefused(trx, order);
  return record(trx, ctx, order, entry);
}

async function recordRefund(
  trx: Trx,
  ctx: Context<StaffMember>,
  { orderId, method, amountPaise, key, reason }: RefundInput,
): Promise<void> {
  const order = await lockShopOrder(trx, ctx, orderId);
  requireRefunder(ctx);
  const entry = {
    kind: "refund",
    method,
    amountPaise: -amountPaise,
    creditedPaise: Math.max(0, amountPaise - refundDuePaise(moneyOf(order))),
    key,
    reason,
    reverses: null,
  } as const;
  if (await isRecorded(trx, order, entry)) return;
  if (amountPaise > order.paid_paise) throw refundRefused(order);
  await record(trx, ctx, order, entry);
}

async function recordReversal(
  trx: Trx,
  ctx: Context<StaffMember>,
  { orderId, paymentId, key, reason }: ReverseInput,
): Promise<void> {
  const order = await lockShopOrder(trx, ctx, orderId);
  requireRefunder(ctx);
  const payments = await findPayments(trx, orderId);
  const wrong = payments.find(({ id }) => id === paymentId);
  if (!wrong) throw new AppError("NOT_FOUND", "This payment was not found");
  if (wrong.kind === "reversal") {
    throw new AppError("CONFLICT", "A reversal cannot be reversed. Enter the payment or refund again");
  }
  const amountPaise = -wrong.amountPaise;
  const entry = {
    kind: "reversal",
    method: wrong.method,
    amountPaise,
    creditedPaise: -wrong.creditedPaise,
    key,
    reason,
    reverses: wrong.id,
  } as const;
  if (await isRecorded(trx, order, entry)) return;
  const earlier = payments.find(({ reverses }) => reverses === wrong.id);
  if (earlier) throw new AppError("CONFLICT", `${earlier.by} has already reversed this`);
  if (order.paid_paise + amountPaise < 0) {
    throw new AppError(
      "CONFLICT",
      `A part of this payment has been refunded: only ${formatPaise(order.paid_paise)} of order ${order.number} is left. Reverse the refund first`,
    );
  }
  await record(trx, ctx, order, entry);
}

interface NewEntry
  extends Pick<PaymentEntry, "kind" | "method" | "amountPaise" | "creditedPaise" | "reason" | "reverses"> {
  key: string;
}

/** Whether the same press was recorded before. Throws CONFLICT if its key was used for something else. */
async function isRecorded(trx: Trx, { id, number }: OrderRow, entry: NewEntry): Promise<boolean> {
  const recorded = await findByKey(trx, { orderId: id, key: entry.key });
  if (!recorded) return false;
  const isSame =
    recorded.kind === entry.kind &&
    recorded.method === entry.method &&
    recorded.amount_paise === entry.amountPaise &&
    recorded.reverses === entry.reverses;
  if (isSame) return true;
  throw new AppError("CONFLICT", `Another amount was recorded already for order ${number}. Look at it again`);
}

const ACTIONS: Record<PaymentKind, AuditAction> = {
  payment: "order.payment",
  refund: "order.refund",
  reversal: "order.reversal",
};

/** Writes the row with all consequences; returns the changed order. */
async function record(
  trx: Trx,
  ctx: Context<StaffMember>,
  order: OrderRow,
  { kind, method, amountPaise, creditedPaise, key, reason, reverses }: NewEntry,
): Promise<OrderRow> {
  const { _id: userId } = ctx.actor.user;
  const now = ctx.now();
  const at = now.toISOString();
  if (kind !== "payment") await lockInvoices(trx, order.id);
  const payment: PaymentTable = {
    id: uuidv7(),
    order_id: order.id,
    shop_id: order.shop_id,
    day: await lockOpenDay(trx, order.shop_id, indianDay(now)),
    kind,
    method,
    amount_paise: amountPaise,
    credited_paise: creditedPaise,
    reverses,
    reason,
    by_user_id: userId,
    approved_by: kind === "payment" ? null : userId,
    client_key: key,
    created_at: at,
  };
  await insertPayment(trx, payment);
  const isRefund = kind === "refund" || (kind === "reversal" && amountPaise > 0);
  const sums = {
    paid_paise: order.paid_paise + amountPaise,
    refunded_paise: order.refunded_paise - (isRefund ? amountPaise : 0),
    credited_paise: order.credited_paise + creditedPaise,
  };
  const paid_at = paidSince({ ...order, ...sums }, at);
  const changed = await updateOrder(trx, order, { ...sums, paid_at });
  if (kind !== "payment") await issueNote(trx, ctx, { was: order, order: changed, reason });
  if (awaitsPickup(changed)) await renewReadyMail(trx, ctx, changed);
  await recordAudit(trx, ctx, {
    action: ACTIONS[kind],
    subject: { id: order.id, name: order.number },
    shopId: order.shop_id,
    after: { method, amount: formatPaise(amountPaise), ...(reason && { reason }) },
  });
  await recordLiveEvent(trx, ctx, "paid", order);
  return changed;
}

function requireRefunder(ctx: Context<StaffMember>): void {
  if (!hasRight("refund", ctx.actor.user.role)) {
    throw new AppError("FORBIDDEN", "Only an owner of the shop can refund or reverse a payment");
  }
  requireRecentAuth(ctx);
}

async function paymentRefused(trx: Trx, order: OrderRow): Promise<AppError> {
  const { id, number, state, total_paise: total } = order;
  if (state === "cancelled") {
    return new AppError("CONFLICT", `Order ${number} is cancelled: there is nothing to pay`);
  }
  if (total === 0) return new AppError("CONFLICT", `Order ${number} is free: there is nothing to pay`);
  const due = duePaise(moneyOf(order));
  const data = { duePaise: due };
  if (due > 0) {
    return new AppError("CONFLICT", `Only ${formatPaise(due)} is left to pay for order ${number}`, { data });
  }
  const last = (await findPayments(trx, id)).findLast(({ kind }) => kind === "payment");
  return new AppError(
    "CONFLICT",
    `${last?.by ?? "Somebody"} has already taken the payment for order ${number}`,
    {
      data,
    },
  );
}

function refundRefused({ number, paid_paise: paid }: OrderRow): AppError {
  const message =
    paid === 0
      ? `Nothing is left to refund for order ${number}`
      : `At most ${formatPaise(paid)} can be refunded for order ${number}`;
  return new AppError("CONFLICT", message, { data: { paidPaise: paid } });
}

/** All payments, refunds and reversals of an order, oldest first. */
export function listPayments({ readDb }: Pick<Deps, "readDb">, orderId: string): Promise<PaymentEntry[]> {
  return findPayments(readDb, orderId);
}
