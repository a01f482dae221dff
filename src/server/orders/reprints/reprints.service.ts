import { randomUUID } from "node:crypto";
import type { Db } from "#db/database.ts";
import type { OrderLineTable, OrderTable } from "#db/schema.ts";
import { type Trx, transact } from "#db/transaction.ts";
import type { Paise } from "#shared/money.ts";
import { mapKinds } from "#shared/options.ts";
import {
  agreedCounts,
  agreedJobs,
  countSides,
  grownJobText,
  printedSidesOfEach,
} from "#shared/order-jobs.ts";
import { priceOrder, type Selection } from "#shared/pricing.ts";
import { countPrinted, type FilePages } from "#shared/print-pages.ts";
import { REPORT_DAYS, type ReprintState, reportableUntil } from "#shared/reprints.ts";
import type { OrderData } from "#shared/schemas/orders.ts";
import type { AnswerInput, ReportInput, ReprintOrderInput } from "#shared/schemas/reprints.ts";
import { requireAccount, withLockedAccount } from "../../accounts/profile.service.ts";
import { recordAudit } from "../../audit/audit.service.ts";
import type { Context, SignedIn, StaffMember } from "../../context.ts";
import { AppError, fieldError } from "../../errors.ts";
import { resolveOwnFiles } from "../../files/files.service.ts";
import type { LimitUse } from "../../http/rate-limit.ts";
import { sha256 } from "../../lib/crypto.ts";
import { queueMail } from "../../mail/mail.service.ts";
import { findLastMove } from "../board/moves.queries.ts";
import { recordLiveEvent } from "../live/live.service.ts";
import { mailedOrder, queueShopMail } from "../mail-content.ts";
import { queueOrderPush } from "../order-pushes.ts";
import { findOrder, findOrderLines, type OrderRow } from "../orders.queries.ts";
import {
  agreedAddress,
  agreedShop,
  findPrintedFiles,
  lineOf,
  linesByJob,
  requireOwnOrder,
  requireShopOrder,
} from "../orders.service.ts";
import { choosePagesAgain, jobsAgain, wrongFiles } from "../placement/chosen-pages.ts";
import { printedTerms, saveOrder } from "../placement/placement.service.ts";
import { answeredMail, reportedMail } from "./reprints.mails.ts";
import {
  claimPhoto,
  deleteReportsOf,
  findReport,
  findReportPhotoIds,
  findReportsOf,
  findReprint,
  insertReport,
  type LinkedOrder,
  type ReportRecord,
  releasePhotosOf,
  updateReportState,
} from "./reprints.queries.ts";

/**
 * Reports a printing error in one of the caller's orders, and mails its shop. Throws NOT_FOUND for somebody else's order,
 * CONFLICT before delivery, after the reporting period or if there is a report already, and INVALID_INPUT for a missing
 * photo.
 */
export async function reportError(ctx: Context<SignedIn>, input: ReportInput): Promise<void> {
  const use: LimitUse = ["reportAccount", ctx.actor.user._id];
  await ctx.limits.within(use, (trx) => storeReport(trx, ctx, input));
}

async function storeReport(trx: Trx, ctx: Context<SignedIn>, input: ReportInput): Promise<void> {
  const { _id: ownerId } = ctx.actor.user;
  await requireAccount(trx, ownerId);
  const order = await requireOwnOrder(trx, ctx, input.orderId);
  await checkTime(trx, order, ctx.now());
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
  const report = { reason: input.reason, photos: input.photos.length, publicUrl: ctx.publicUrl() };
  await queueShopMail(trx, ctx, reportedMail({ ...mailedOrder(ctx, order), ...report }));
  await recordLiveEvent(trx, ctx, "reprint", order);
}

async function checkTime(trx: Trx, order: OrderRow, now: Date): Promise<void> {
  if (order.state !== "delivered") {
    throw new AppError("CONFLICT", "A printing error can be reported once the order is delivered");
  }
  if ((await reportableMs(trx, order, now)) === 0) {
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
    throw fieldError(`photos.${position}`, `Photo ${position + 1} is no longer there. Please add it again`);
  }
}

/**
 * Accepts or declines a reprint, and mails the answer to the student. Throws NOT_FOUND for an order of another shop or
 * without a report, and CONFLICT, with the name of who was first, if it is answered already.
 */
export async function answerReport(ctx: Context<StaffMember>, input: AnswerInput): Promise<void> {
  await transact(ctx.db, (trx) => storeAnswer(trx, ctx, input));
}

async function storeAnswer(trx: Trx, ctx: Context<StaffMember>, input: AnswerInput): Promise<void> {
  const { orderId, accepted, answer } = input;
  const order = await requireShopOrder(trx, ctx, orderId);
  const to = accepted ? "accepted" : "declined";
  const isAnswered = await updateReportState(
    trx,
    { orderId, from: "reported", to },
    { answer, answered_at: ctx.now().toISOString(), answered_by: ctx.actor.user._id },
  );
  if (!isAnswered) throw await answerRefusal(trx, orderId);
  await queueMail(trx, ctx, answeredMail({ ...mailedOrder(ctx, order), accepted, answer }));
  await queueOrderPush(trx, ctx, order, accepted ? "reprint-accepted" : "reprint-declined");
  await recordAudit(trx, ctx, {
    action: accepted ? "reprint.accept" : "reprint.decline",
    subject: { id: orderId, name: order.number },
    shopId: order.shop_id,
    after: { answer },
  });
  await recordLiveEvent(trx, ctx, "reprint", order);
}

async function answerRefusal(trx: Trx, orderId: string): Promise<AppError> {
  const report = await findReport(trx, orderId);
  if (!report) return new AppError("NOT_FOUND", "No error of this order was reported");
  const who = report.answeredByName ?? "Somebody";
  return new AppError("CONFLICT", `${who} has already answered this report`);
}

/**
 * Places the accepted reprint with the files that were uploaded again, once and for free. Throws NOT_FOUND for somebody
 * else's order, CONFLICT if no reprint is accepted or it is ordered already, and what `storeReprint` throws.
 */
export async function orderReprint(ctx: Context<SignedIn>, input: ReprintOrderInput): Promise<LinkedOrder> {
  const use: LimitUse = ["orderAccount", ctx.actor.user._id];
  return ctx.limits.within(use, (trx) => storeOrder(trx, ctx, input));
}

async function storeOrder(
  trx: Trx,
  ctx: Context<SignedIn>,
  { orderId, ...files }: ReprintOrderInput,
): Promise<LinkedOrder> {
  const own = await withLockedAccount(trx, ctx);
  const original = await requireOwnOrder(trx, own, orderId);
  if (!(await updateReportState(trx, { orderId, from: "accepted", to: "ordered" }))) {
    throw reprintRefusal((await findReport(trx, orderId))?.state);
  }
  const { id, number } = await storeReprint(trx, own, original, files);
  await recordLiveEvent(trx, ctx, "reprint", original);
  return { id, number };
}

function reprintRefusal(state: ReprintState | undefined): AppError {
  const message =
    state === "ordered"
      ? "This reprint is ordered already"
      : "The shop has not accepted a reprint of this order";
  return new AppError("CONFLICT", message);
}

/** Lets the student order a reprint again that is cancelled. Does nothing for any other order. */
export async function offerReprintAgain(
  trx: Trx,
  ctx: Pick<Context, "now">,
  { reprint_of }: OrderRow,
): Promise<void> {
  const original = reprint_of && (await findOrder(trx, { id: reprint_of }));
  if (!original) return;
  await updateReportState(trx, { orderId: original.id, from: "ordered", to: "accepted" });
  await recordLiveEvent(trx, ctx, "reprint", original);
}

/** A report and the shop's answer; times are ISO 8601 in UTC. */
interface Report {
  state: ReprintState;
  reason: string;
  reportedAt: string;
  /** Paths of the photos that are not deleted. */
  photos: string[];
  /** Empty until the shop answers. */
  answer: string;
  answeredAt: string | null;
}

interface Links {
  /** The order that this one reprints. */
  reprintOf: LinkedOrder | null;
  /** The reprint of this order. */
  reprint: LinkedOrder | null;
}

/** The report and the reprint of an order, for its student. */
export interface OwnReprint extends Links {
  report: Report | null;
  /** Whether this reprint is cancelled and its original offers it again. */
  isOfferedAgain: boolean;
  /** Milliseconds for which an error can still be reported; 0 if it cannot. */
  reportableMs: number;
  /** Maximum pages of a reprint. */
  maxPages: number;
  /** The printed files and pages; if the same files are uploaded again, the same pages are printed. */
  files: (FilePages & { name: string })[];
}

/** The same for its shop. */
interface ShopReprint extends Links {
  report: (Report & { answeredBy: string | null }) | null;
}

/** The report and the reprint of one of the caller's own orders. Throws NOT_FOUND for any other. */
export async function getOwnReprint(
  ctx: Context<SignedIn>,
  { orderId }: { orderId: string },
): Promise<OwnReprint> {
  const { readDb } = ctx;
  const order = await requireOwnOrder(readDb, ctx, orderId);
  const report = await findReport(readDb, orderId);
  const files = await findPrintedFiles(readDb, order);
  return {
    ...(await linksOf(readDb, order)),
    report: report ? await toReport(readDb, report) : null,
    isOfferedAgain: await isOfferedAgain(readDb, order),
    reportableMs: report ? 0 : await reportableMs(readDb, order, ctx.now()),
    maxPages: countPrinted(files),
    files: files.map(({ name, pages, pageRanges }) => ({ name, pages, pageRanges })),
  };
}

/** The same for an order of the caller's shops. Throws NOT_FOUND for any other. */
export async function getShopReprint(
  ctx: Context<StaffMember>,
  { orderId }: { orderId: string },
): Promise<ShopReprint> {
  const { readDb } = ctx;
  const order = await requireShopOrder(readDb, ctx, orderId);
  const report = await findReport(readDb, orderId);
  return {
    ...(await linksOf(readDb, order)),
    report: report ? { ...(await toReport(readDb, report)), answeredBy: report.answeredByName } : null,
  };
}

async function isOfferedAgain(db: Db, { state, reprint_of }: OrderRow): Promise<boolean> {
  if (state !== "cancelled" || reprint_of === null) return false;
  return (await findReport(db, reprint_of))?.state === "accepted";
}

/** Milliseconds from `now` for which an error can be reported; 0 before delivery and after the reporting period. */
async function reportableMs(db: Db | Trx, { id, state }: OrderRow, now: Date): Promise<number> {
  if (state !== "delivered") return 0;
  const delivery = await findLastMove(db, { orderId: id, state });
  return delivery ? Math.max(0, Date.parse(reportableUntil(delivery.at)) - now.getTime()) : 0;
}

async function linksOf(db: Db, { id, reprint_of, originalNumber }: OrderRow): Promise<Links> {
  return {
    reprintOf: reprint_of && originalNumber ? { id: reprint_of, number: originalNumber } : null,
    reprint: (await findReprint(db, id)) ?? null,
  };
}

async function toReport(db: Db, report: ReportRecord): Promise<Report> {
  const photos = await findReportPhotoIds(db, report.id);
  return {
    state: report.state,
    reason: report.reason,
    reportedAt: report.created_at,
    photos: photos.map((id) => `/reprint-photos/${id}`),
    answer: report.answer,
    answeredAt: report.answered_at,
  };
}

/**
 * Stores a reprint of one of the caller's own orders: same pages, options, copies, message and address, for free, whatever
 * the shop offers today. Throws INVALID_INPUT for pages that were not ordered or would make it dearer, and what storing any order throws.
 */
async function storeReprint(
  trx: Trx,
  ctx: Context<SignedIn>,
  original: OrderRow,
  { filesUrl, pageRanges }: Pick<OrderData, "filesUrl" | "pageRanges">,
): Promise<OrderTable> {
  const printed = await findPrintedFiles(trx, original);
  const files = choosePagesAgain(await resolveOwnFiles(ctx, trx, filesUrl), printed, pageRanges);
  const lines = linesByJob(original, await findOrderLines(trx, original.id));
  const agreed = agreedJobs(original, printed);
  const planned = jobsAgain(agreed, printed, files);
  const again = planned
    .map((job, at) => ({ job, lines: lines[at] ?? [], sides: agreedCounts(original)[at]?.sides ?? 1 }))
    .filter(({ job }) => countSides(files, [job]) > 0);
  const jobs = again.map(({ job }) => job);
  const priceAt = (paiseOf: (line: OrderLineTable) => Paise) =>
    priceOrder({
      jobs: again.map(({ job, lines: ofJob, sides }) => ({
        pages: printedSidesOfEach(files, job),
        options: optionsAt(paiseOf, ofJob, sides),
      })),
      copies: original.copies,
    });
  const grown = grownJobText({ files: printed, jobs: agreed }, { files, jobs: planned });
  // One part may have pages of another, as long as the whole would cost less.
  if (grown !== null && priceAt((line) => line.unit_paise).subTotalPaise >= original.sub_total_paise) {
    throw wrongFiles(`${grown}. Please send the same files under their names, or choose fewer pages`);
  }
  const quote = priceAt(() => 0);
  const { copies, message, fulfilment, upiId, shownEmail: email, shopMailbox: orderEmail } = original;
  return saveOrder(trx, ctx, {
    ...printedTerms(files, jobs, quote),
    shop: { id: original.shop_id, ...agreedShop(original), email, upiId, orderEmail },
    copies,
    message,
    fulfilment,
    address: agreedAddress(original),
    quote,
    idempotency: { key: null, requestHash: sha256(original.id) },
    original,
    optionIds: again.map(({ lines: ofJob }) => mapKinds((kind) => lineOf(ofJob, kind).option_id)),
    files,
  });
}

/** The options of a job of the original, at these prices. */
function optionsAt(
  paiseOf: (line: OrderLineTable) => Paise,
  lines: readonly OrderLineTable[],
  sides: number,
): Selection {
  return mapKinds((kind) => {
    const line = lineOf(lines, kind);
    return { name: line.name, basis: line.basis, sides, pricePaise: paiseOf(line) };
  });
}

/** The user's reports of printing errors and the shops' answers, for the export. */
export async function exportReports(db: Db, userId: string) {
  const reports = await findReportsOf(db, userId);
  return reports.map((report) => ({
    order: report.orderNumber,
    state: report.state,
    reason: report.reason,
    reportedAt: report.created_at,
    answer: report.answer,
    answeredAt: report.answered_at,
  }));
}

/** Deletes the user's reports; the next cleanup removes the content of their photos. */
export async function deletePersonalReports(trx: Trx, owner: { ownerId: string; at: string }): Promise<void> {
  await releasePhotosOf(trx, owner);
  await deleteReportsOf(trx, owner.ownerId);
}
