import { type Trx, transact } from "#db/transaction.ts";
import type { AnswerInput } from "#shared/schemas/reprints.ts";
import { recordAudit } from "../audit/audit.service.ts";
import type { Context, StaffMember } from "../context.ts";
import { hasShop } from "../context.ts";
import { AppError } from "../errors.ts";
import { queueMail } from "../mail/mail.service.ts";
import { orderPageUrl } from "../orders/orders.state-mails.service.ts";
import { logChange } from "../queue/queue.log.service.ts";
import { answeredMail } from "./reprints.mails.ts";
import { findReport, findReportedOrder, moveReport } from "./reprints.queries.ts";
import { orderNotFound } from "./reprints.view.service.ts";

/**
 * Accepts or declines a reprint, and mails the student the answer. Throws NOT_FOUND for an order of another shop or
 * without a report, and CONFLICT, saying who was first, where it is answered already.
 */
export async function answerReport(ctx: Context<StaffMember>, input: AnswerInput): Promise<void> {
  await transact(ctx.db, (trx) => storeAnswer(trx, ctx, input));
  ctx.wakeMail();
  ctx.queueBell.ring();
}

async function storeAnswer(trx: Trx, ctx: Context<StaffMember>, input: AnswerInput): Promise<void> {
  const { orderId, accepted, answer } = input;
  const order = await findReportedOrder(trx, orderId);
  if (!order || !hasShop(ctx.actor, order.shop.id)) throw orderNotFound();
  const to = accepted ? "accepted" : "declined";
  const isAnswered = await moveReport(
    trx,
    { orderId, from: "reported", to },
    { answer, answered_at: ctx.now().toISOString(), answered_by: ctx.actor.user._id },
  );
  if (!isAnswered) throw await refusal(trx, orderId);
  const orderUrl = orderPageUrl(ctx, orderId);
  await queueMail(trx, ctx, answeredMail({ ...order, accepted, answer, orderUrl }));
  await recordAudit(trx, ctx, {
    action: accepted ? "reprint.accept" : "reprint.decline",
    subject: { id: orderId, name: order.number },
    shopId: order.shop.id,
    after: { answer },
  });
  await logChange(trx, ctx, { kind: "reprint", orderId, shopId: order.shop.id, state: order.state });
}

async function refusal(trx: Trx, orderId: string): Promise<AppError> {
  const report = await findReport(trx, orderId);
  if (!report) return new AppError("NOT_FOUND", "No error of this order was reported");
  const who = report.answeredByName ?? "Somebody";
  return new AppError("CONFLICT", `${who} was first: this report is answered already`);
}
