import type { Db } from "#db/open.ts";
import type { FilePages } from "#shared/print-pages.ts";
import { type ReprintState, reportableUntil } from "#shared/reprints.ts";
import type { Context, SignedIn, StaffMember } from "../context.ts";
import { hasShop } from "../context.ts";
import { AppError } from "../errors.ts";
import { printedFilesOf } from "../orders/orders.reprint.service.ts";
import { findPhotoIds } from "./reprints.photo-queries.ts";
import {
  findReport,
  findReportedOrder,
  type LinkedOrder,
  type ReportedOrder,
  type ReportRecord,
} from "./reprints.queries.ts";

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
export function reportableMs({ state, deliveredAt }: ReportedOrder, now: Date): number {
  if (state !== "delivered" || deliveredAt === null) return 0;
  return Math.max(0, Date.parse(reportableUntil(deliveredAt)) - now.getTime());
}

export function orderNotFound(): AppError {
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
