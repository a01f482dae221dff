import { randomUUID } from "node:crypto";
import type { Trx } from "#db/transaction.ts";
import { REPORT_DAYS } from "#shared/reprints.ts";
import type { ReportInput } from "#shared/schemas/reprints.ts";
import { requireAccount } from "../accounts/accounts.profile.service.ts";
import type { Context, SignedIn } from "../context.ts";
import { AppError } from "../errors.ts";
import type { LimitUse } from "../limits.ts";
import { queueMail } from "../mail/mail.service.ts";
import { logChange } from "../queue/queue.log.service.ts";
import { reportedMail } from "./reprints.mails.ts";
import { claimPhoto } from "./reprints.photo-queries.ts";
import { findReportedOrder, insertReport, type ReportedOrder } from "./reprints.queries.ts";
import { orderNotFound, reportableMs } from "./reprints.view.service.ts";

/**
 * Keeps that an order of the caller's is printed wrongly, and mails its shop. Throws NOT_FOUND for somebody else's
 * order, CONFLICT before its delivery, when the time for it is over or when an error was reported already, and
 * INVALID_INPUT for a photo that is not there.
 */
export async function reportError(ctx: Context<SignedIn>, input: ReportInput): Promise<void> {
  const use: LimitUse = ["reportAccount", ctx.actor.user._id];
  await ctx.limits.within(use, (trx) => storeReport(trx, ctx, input));
  ctx.wakeMail();
  ctx.queueBell.ring();
}

async function storeReport(trx: Trx, ctx: Context<SignedIn>, input: ReportInput): Promise<void> {
  const { _id: ownerId, fullName, email } = ctx.actor.user;
  await requireAccount(trx, ownerId);
  const order = await findReportedOrder(trx, input.orderId);
  if (order?.student.id !== ownerId) throw orderNotFound();
  checkTime(order, ctx.now());
  const id = randomUUID();
  const isFirst = await insertReport(trx, {
    id,
    order_id: order.id,
    state: "reported",
    reason: input.reason,
    created_at: ctx.now().toISOString(),
    answer: "",
    answered_at: null,
    answered_by: null,
  });
  if (!isFirst) {
    throw new AppError("CONFLICT", `You have reported an error of order ${order.number} already`);
  }
  await claimPhotos(trx, { ids: input.photos, ownerId, reprintId: id });
  const student = { fullName, email };
  const { reason, photos } = input;
  const told = { ...order, student, reason, photos: photos.length, publicUrl: ctx.publicUrl() };
  await queueMail(trx, ctx, reportedMail(told));
  await logChange(trx, ctx, {
    kind: "reprint",
    orderId: order.id,
    shopId: order.shop.id,
    state: order.state,
  });
}

function checkTime(order: ReportedOrder, now: Date): void {
  if (order.state !== "delivered") {
    throw new AppError("CONFLICT", "A printing error can be reported once the order is delivered");
  }
  if (reportableMs(order, now) === 0) {
    const message = `Printing errors can be reported for ${REPORT_DAYS} days after delivery. That time is over`;
    throw new AppError("CONFLICT", message);
  }
}

async function claimPhotos(
  trx: Trx,
  { ids, ...claim }: { ids: string[]; ownerId: string; reprintId: string },
): Promise<void> {
  for (const [position, id] of ids.entries()) {
    if (await claimPhoto(trx, { ...claim, id, position })) continue;
    const message = `Photo ${position + 1} is no longer there. Please add it again`;
    throw new AppError("INVALID_INPUT", message, { issues: [{ path: `photos.${position}`, message }] });
  }
}
