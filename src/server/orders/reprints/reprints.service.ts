import { randomUUID } from "node:crypto";
import type { Db } from "#db/open.ts";
import type { OrderLineTable, OrderTable } from "#db/schema.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { OPTION_KINDS, type OptionKind } from "#shared/options.ts";
import { commonPages, countPages, unitePages } from "#shared/page-ranges.ts";
import { chosenPagesText, pagesText } from "#shared/page-words.ts";
import { priceJob, type Quote, type Selection } from "#shared/pricing.ts";
import { countPrinted, type FilePages, firstPages, printedPages, writePrinted } from "#shared/print-pages.ts";
import { REPORT_DAYS, type ReprintState, reportableUntil } from "#shared/reprints.ts";
import type { OrderData } from "#shared/schemas/orders.ts";
import type { AnswerInput, ReportInput, ReprintOrderInput } from "#shared/schemas/reprints.ts";
import { requireAccount } from "../../accounts/profile.service.ts";
import { recordAudit } from "../../audit/audit.service.ts";
import { type Context, hasShop, type SignedIn, type StaffMember } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { resolveOwnFiles } from "../../files/files.service.ts";
import type { LimitUse } from "../../http/rate-limit.ts";
import { sha256, uuidv7 } from "../../lib/crypto.ts";
import { queueMail } from "../../mail/mail.service.ts";
import { orderPageUrl } from "../board/moves.mails.ts";
import { orderText } from "../board/search-words.ts";
import { logChange } from "../events/events.service.ts";
import {
  findAgreedLines,
  findContents,
  findOwnFiles,
  findOwnOrder,
  type OwnFileFacts,
} from "../orders.queries.ts";
import {
  type ChosenFile,
  choosePages,
  keepOrder,
  newFulfilment,
  newOrderNumber,
  quotedFigures,
} from "../placement/placement.service.ts";
import { claimPhoto, findPhotoIds } from "./photos.queries.ts";
import { answeredMail, reportedMail } from "./reprints.mails.ts";
import {
  deleteReportsOf,
  findReport,
  findReportedOrder,
  findReportsOf,
  insertReport,
  type LinkedOrder,
  moveReport,
  type ReportedOrder,
  type ReportRecord,
  releasePhotosOf,
} from "./reprints.queries.ts";

/**
 * Keeps that an order of the caller's is printed wrongly, and mails its shop. Throws NOT_FOUND for somebody else's
 * order, CONFLICT before its delivery, when the time for it is over or when an error was reported already, and
 * INVALID_INPUT for a photo that is not there.
 */
export async function reportError(ctx: Context<SignedIn>, input: ReportInput): Promise<void> {
  const use: LimitUse = ["reportAccount", ctx.actor.user._id];
  await ctx.limits.within(use, (trx) => storeReport(trx, ctx, input));
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

/**
 * Accepts or declines a reprint, and mails the student the answer. Throws NOT_FOUND for an order of another shop or
 * without a report, and CONFLICT, saying who was first, where it is answered already.
 */
export async function answerReport(ctx: Context<StaffMember>, input: AnswerInput): Promise<void> {
  await transact(ctx.db, (trx) => storeAnswer(trx, ctx, input));
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
  if (!isAnswered) throw await answerRefusal(trx, orderId);
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

async function answerRefusal(trx: Trx, orderId: string): Promise<AppError> {
  const report = await findReport(trx, orderId);
  if (!report) return new AppError("NOT_FOUND", "No error of this order was reported");
  const who = report.answeredByName ?? "Somebody";
  return new AppError("CONFLICT", `${who} was first: this report is answered already`);
}

/**
 * Orders the reprint that the shop has accepted, with the files that were uploaded again: once, and at no charge. Throws
 * NOT_FOUND for somebody else's order, CONFLICT where no reprint is accepted or it is ordered already, and what storing
 * a reprint throws.
 */
export async function orderReprint(ctx: Context<SignedIn>, input: ReprintOrderInput): Promise<LinkedOrder> {
  const use: LimitUse = ["orderAccount", ctx.actor.user._id];
  const order = await ctx.limits.within(use, (trx) => storeOrder(trx, ctx, input));
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
    throw reprintRefusal((await findReport(trx, orderId))?.state);
  }
  const { id, number } = await storeReprint(trx, ctx, { ...files, originalId: orderId });
  const { state, shop } = original;
  await logChange(trx, ctx, { kind: "reprint", orderId, shopId: shop.id, state });
  return { id, number };
}

function reprintRefusal(state: ReprintState | undefined): AppError {
  const message =
    state === "ordered"
      ? "This reprint is ordered already"
      : "The shop has not accepted a reprint of this order";
  return new AppError("CONFLICT", message);
}

/** What was reported, and what the shop answered; times are ISO 8601 in UTC. */
export interface Report {
  state: ReprintState;
  reason: string;
  reportedAt: string;
  /** Paths of the photos that are still kept. */
  photos: string[];
  /** Empty until it is answered. */
  answer: string;
  answeredAt: string | null;
}

interface Links {
  /** The order that it prints again. */
  reprintOf: LinkedOrder | null;
  /** The order that prints it again. */
  reprint: LinkedOrder | null;
}

/** What the student knows of printing errors of an order. */
export interface OwnReprint extends Links {
  report: Report | null;
  /** For how many ms an error can still be reported; 0 where it cannot. */
  reportableMs: number;
  /** How many pages the files of a reprint may have. */
  maxPages: number;
  /** What was printed: of the same files the same pages are printed again. */
  files: (FilePages & { name: string })[];
}

/** What staff know of it. */
export interface ShopReprint extends Links {
  report: (Report & { answeredBy: string | null }) | null;
}

/** Of one of the caller's own orders. Throws NOT_FOUND for any other. */
export async function getOwnReprint(
  { readDb, now, actor }: Context<SignedIn>,
  { orderId }: { orderId: string },
): Promise<OwnReprint> {
  const order = await findReportedOrder(readDb, orderId);
  if (!order || order.student.id !== actor.user._id) throw orderNotFound();
  const report = await findReport(readDb, orderId);
  const files = await printedFilesOf(readDb, order);
  return {
    ...linksOf(order),
    report: report ? await toReport(readDb, report) : null,
    reportableMs: report ? 0 : reportableMs(order, now()),
    maxPages: order.pages,
    files: files.map(({ name, pages, pageRanges }) => ({ name, pages, pageRanges })),
  };
}

/** Of an order of the caller's shops. Throws NOT_FOUND for any other. */
export async function getShopReprint(
  { readDb, actor }: Context<StaffMember>,
  { orderId }: { orderId: string },
): Promise<ShopReprint> {
  const order = await findReportedOrder(readDb, orderId);
  if (!order || !hasShop(actor, order.shop.id)) throw orderNotFound();
  const report = await findReport(readDb, orderId);
  return {
    ...linksOf(order),
    report: report ? { ...(await toReport(readDb, report)), answeredBy: report.answeredByName } : null,
  };
}

/** For how many ms from `now` on an error of the order can be reported; 0 before its delivery and when that is over. */
function reportableMs({ state, deliveredAt }: ReportedOrder, now: Date): number {
  if (state !== "delivered" || deliveredAt === null) return 0;
  return Math.max(0, Date.parse(reportableUntil(deliveredAt)) - now.getTime());
}

function orderNotFound(): AppError {
  return new AppError("NOT_FOUND", "This order was not found");
}

function linksOf({ reprintOf, reprint }: ReportedOrder): Links {
  return { reprintOf, reprint };
}

async function toReport(db: Db, report: ReportRecord): Promise<Report> {
  const photos = await findPhotoIds(db, report.id);
  return {
    state: report.state,
    reason: report.reason,
    reportedAt: report.created_at,
    photos: photos.map((id) => `/reprint-photos/${id}`),
    answer: report.answer,
    answeredAt: report.answered_at,
  };
}

export type ReprintFiles = Pick<OrderData, "filesUrl" | "pageRanges">;

/** The files of an order, with the pages that were printed of each. */
async function printedFilesOf(
  db: Db | Trx,
  { id, pages }: { id: string; pages: number },
): Promise<OwnFileFacts[]> {
  return firstPages(await findOwnFiles(db, id), pages);
}

/**
 * Stores an order that prints one of the caller's own again: the same pages, options, copies, message and address, at no
 * charge, whatever the shop offers today. Throws NOT_FOUND for somebody else's order, INVALID_INPUT for pages that were
 * not ordered, and what storing any order throws.
 */
async function storeReprint(
  trx: Trx,
  ctx: Context<SignedIn>,
  { originalId, filesUrl, pageRanges }: ReprintFiles & { originalId: string },
): Promise<OrderTable> {
  const original = await findOwnOrder(trx, { id: originalId, userId: ctx.actor.user._id });
  if (!original) throw new AppError("NOT_FOUND", "This order was not found");
  const { upiId, ...facts } = original;
  const files = await choosePagesAgain(trx, ctx, facts, { filesUrl, pageRanges });
  const pages = countPrinted(files);
  const lines = await findAgreedLines(trx, originalId);
  const quote = freeQuote({ ...facts, pages }, sidesOf(facts), lines);
  const order = newReprint(ctx, { ...facts, pages }, quote);
  const optionIds = optionIdsOf(lines);
  await keepOrder(trx, ctx, { order, quote, optionIds, upiId, files, reprintOf: facts.number });
  return order;
}

/**
 * Of a file that the order had, the pages that it printed, or some of them; of another, which may be the same document
 * saved anew, the pages that are wished. In all no more than the order had.
 */
async function choosePagesAgain(
  trx: Trx,
  ctx: Context<SignedIn>,
  original: OrderTable,
  { filesUrl, pageRanges }: ReprintFiles,
): Promise<ChosenFile[]> {
  const printed = await printedFilesOf(trx, original);
  const contents = await findContents(trx, original.id);
  const files = choosePages(await resolveOwnFiles(ctx, trx, filesUrl), pageRanges).map((file, index, all) => {
    const same = printed.filter(({ id }) => contents.get(id) === file.sha256);
    const isSame = ({ sha256 }: ChosenFile) => sha256 === file.sha256;
    const place = all.slice(0, index).filter(isSame).length;
    const isLast = !all.slice(index + 1).some(isSame);
    // An order may print several parts of one file: each upload of it stands for the next part, the last for the rest.
    const part = isLast ? same.slice(place) : same.slice(place, place + 1);
    const wished = pageRanges?.some(({ public_id: id }) => id === file.id);
    return wished ? among(file, same) : { ...file, ...pagesOf(file, part.length > 0 ? part : same) };
  });
  const chosen = countPrinted(files);
  if (chosen === 0) throw wrongFiles("The order printed no page of these files");
  if (chosen <= original.pages) return files;
  throw wrongFiles(
    `The order had ${pagesText(original.pages)}, and these are ${chosen}. Please choose no more than were ordered`,
  );
}

/** The pages that these entries of an order printed of the same file; all of a file that the order did not have. */
function pagesOf({ pages }: ChosenFile, entries: readonly FilePages[]): FilePages {
  if (entries.length === 0) return { pages, pageRanges: null };
  return { pages, pageRanges: writePrinted(unitePages(entries.map(printedPages)), pages) };
}

/** The file with its pages as they are wished. Throws INVALID_INPUT for one that the order did not print of it. */
function among(file: ChosenFile, same: readonly FilePages[]): ChosenFile {
  const before = pagesOf(file, same);
  const wished = printedPages(file);
  if (countPages(commonPages(wished, printedPages(before))) === countPages(wished)) return file;
  throw wrongFiles(
    `Of “${file.originalFilename}” the order had ${chosenPagesText(before)}. Choose among those`,
  );
}

function wrongFiles(message: string): AppError {
  return new AppError("INVALID_INPUT", message, { issues: [{ path: "filesUrl", message }] });
}

/** Two where the order was printed on both sides of its sheets. */
function sidesOf({ sheets, pages, copies }: OrderTable): number {
  return sheets < pages * copies ? 2 : 1;
}

function freeQuote({ pages, copies }: OrderTable, sides: number, lines: OrderLineTable[]): Quote {
  const options = lines.map(({ kind, name, basis }) => [kind, { name, basis, sides, pricePaise: 0 }]);
  return priceJob({ pages, copies, options: Object.fromEntries(options) as Selection });
}

function optionIdsOf(lines: OrderLineTable[]): Record<OptionKind, string> {
  const ids = OPTION_KINDS.map((kind) => [kind, lines.find((line) => line.kind === kind)?.option_id]);
  return Object.fromEntries(ids) as Record<OptionKind, string>;
}

function newReprint(ctx: Context<SignedIn>, original: OrderTable, quote: Quote): OrderTable {
  const { user } = ctx.actor;
  const number = newOrderNumber();
  return {
    ...original,
    ...quotedFigures(quote),
    ...newFulfilment(original.fulfilment),
    id: uuidv7(),
    number,
    state: "placed",
    user_email: user.email,
    idempotency_key: null,
    request_hash: sha256(original.id),
    created_at: ctx.now().toISOString(),
    paid_at: null,
    paid_by: null,
    reprint_of: original.id,
    search_text: orderText({ number }, user),
  };
}

/** The printing errors that the user reported, and what the shops answered. */
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

/** Forgets what this user reported; the next sweep removes the bytes of their photos. */
export async function forgetReports(trx: Trx, owner: { ownerId: string; at: string }): Promise<void> {
  await releasePhotosOf(trx, owner);
  await deleteReportsOf(trx, owner.ownerId);
}
