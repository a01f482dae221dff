import type { Readable } from "node:stream";
import type { Db } from "#db/database.ts";
import type { Trx } from "#db/transaction.ts";
import { HOUR_MS, MINUTE_MS } from "#shared/durations.ts";
import { agreedFiles, agreedJobs, filesOfJob } from "#shared/order-jobs.ts";
import { UNORDERED_HOURS } from "#shared/order-limits.ts";
import type { PageChecks } from "#shared/page-checks.ts";
import { paperNamed, sheetOf } from "#shared/paper-sizes.ts";
import { NO_PAGES } from "#shared/print-pages.ts";
import { layoutOf } from "#shared/sheet-layout.ts";
import type { Context, Deps, Uploader } from "../context.ts";
import { AppError, fieldError } from "../errors.ts";
import { worksAt } from "../staff/access.service.ts";
import { checkLink, type FileLink, fileIdOf } from "./file-links.ts";
import {
  blankFiles,
  changeOwner,
  claimFiles,
  deleteErasedUnordered,
  endLease,
  type FileRecord,
  type FileWork,
  findFile,
  findFilesOf,
  findFilesToErase,
  findOrderOfFile,
  findUnorderedFiles,
  leaseFile,
  markApproved,
  markDeleted,
  markErased,
  markEraseFailed,
  markOrderFilesDeleted,
  markOwnerFilesDeleted,
  markUnorderedDeleted,
  type OrderOfFile,
  removeFromOrder,
  type UnorderedFile,
} from "./files.queries.ts";
import { addPrintedPages, makePrintCopy, type PrintCopy } from "./pdf/print-copies.service.ts";
import type { StoredRange } from "./storage/file-store.ts";

/** One file of an order to be. */
export interface OwnFile {
  id: string;
  pages: number;
  originalFilename: string;
  bytes: number;
  /** SHA-256 of its content, in hex. */
  sha256: string;
}

/**
 * The user's own files that these URLs name, in their order. Throws INVALID_INPUT for a URL that names none of
 * them or one of them twice, and CONFLICT for a file that is deleted, ordered already, or converted and not approved.
 */
export async function resolveOwnFiles(
  ctx: Context<Uploader>,
  db: Db | Trx,
  urls: string[],
): Promise<OwnFile[]> {
  const ids = urls.map((url, index) => fileIdOf(url, ctx.origins) ?? refuse(index, NOT_YOURS));
  const files = await findFilesOf(db, ctx.actor.user._id, ids);
  const byId = new Map(files.map((file) => [file.id, file]));
  const own = ids.map((id, index) => {
    const file = byId.get(id) ?? refuse(index, NOT_YOURS);
    if (ids.indexOf(id) < index) refuse(index, `“${file.original_filename}” is listed twice`);
    return file;
  });
  const ordered = own.find(({ order_id }) => order_id !== null);
  if (ordered) throw await alreadyOrdered(db, ordered);
  for (const file of own) checkOrderable(file);
  return own.map(toOwnFile);
}

/**
 * Never asks to upload the file again, deleted or not: somebody whose response to an order was lost would order and pay twice.
 */
async function alreadyOrdered(db: Db | Trx, { id, original_filename: name }: FileRecord): Promise<AppError> {
  const order = await findOrderOfFile(db, id);
  return new AppError("CONFLICT", `“${name}” is in your order ${order?.number ?? ""} already`);
}

const NOT_YOURS =
  "One of the files has been deleted, or was not uploaded here by you. Please upload it again";

function refuse(index: number, message: string): never {
  throw fieldError(`orderData.filesUrl.${index}`, message);
}

function checkOrderable(file: FileRecord): void {
  const { original_filename: name, deleted_at, converted_from, approved_at } = file;
  if (deleted_at) throw new AppError("CONFLICT", `“${name}” has been deleted. Please upload it again`);
  if (converted_from && !approved_at) {
    throw new AppError("CONFLICT", `Check the pages of “${name}” first and say that they look right`);
  }
}

function toOwnFile({ id, pages, original_filename, bytes, sha256 }: FileRecord): OwnFile {
  return { id, pages, originalFilename: original_filename, bytes, sha256 };
}

/** What is known of the colour of a file's pages, and what else was found on them. */
interface FileColours extends PageChecks {
  id: string;
  /** Whether it belongs to an order, be it deleted since. */
  isOrdered: boolean;
  /** Those of the first `checkedPages` that hold colour, such as `3, 7-9`; null until they are looked at. */
  colourPages: string | null;
  /** How many pages were looked at, from the first on; 0 where none could be. */
  checkedPages: number | null;
}

/** What is known of the user's own files among `ids`, unsorted. */
export async function listColours(
  { readDb, actor }: Context<Uploader>,
  { ids }: { ids: string[] },
): Promise<FileColours[]> {
  const files = await findFilesOf(readDb, actor.user._id, ids);
  return files.map((file) => ({
    id: file.id,
    isOrdered: file.order_id !== null,
    colourPages: file.colour_pages,
    checkedPages: file.colour_checked_pages,
    blankPages: file.blank_pages,
    pageSizes: file.page_sizes,
    edgePages: file.edge_pages,
  }));
}

/** Makes `to`, for whom they are printed, the owner of the caller's own files. Throws as `resolveOwnFiles` does. */
export async function giveFiles(
  trx: Trx,
  ctx: Context<Uploader>,
  { urls, to }: { urls: string[]; to: string },
): Promise<void> {
  const ids = (await resolveOwnFiles(ctx, trx, urls)).map(({ id }) => id);
  if ((await changeOwner(trx, { ids, from: ctx.actor.user._id, to })) === ids.length) return;
  throw takenMeanwhile();
}

/** Gives the files to the order. Throws CONFLICT when one of them was deleted or ordered meanwhile. */
export async function attachFiles(
  trx: Trx,
  claim: { orderId: string; ownerId: string; fileIds: string[] },
): Promise<void> {
  const claimed = await claimFiles(trx, claim);
  if (claimed.length === claim.fileIds.length) return;
  throw takenMeanwhile();
}

function takenMeanwhile(): AppError {
  return new AppError(
    "CONFLICT",
    "One of the files was ordered or deleted meanwhile. Look at your orders before you upload it again",
  );
}

/** Gives an order other files and deletes those that they replace. Throws CONFLICT when one of either was deleted meanwhile. */
export async function replaceFiles(
  trx: Trx,
  {
    orderId,
    ownerId,
    at,
    added,
    removed,
  }: { orderId: string; ownerId: string; at: string; added: string[]; removed: string[] },
): Promise<void> {
  if (added.length === 0) return;
  await attachFiles(trx, { orderId, ownerId, fileIds: added });
  const count = await removeFromOrder(trx, { orderId, ids: removed, by: ownerId, at });
  if (count < removed.length) throw new AppError("CONFLICT", "The files of this order have been deleted");
}

/** A file as its reader may have it. */
export type ReadableFile = { name: string } & (
  | { kind: "original"; bytes: number; sha256: string; open(range?: StoredRange): Promise<Readable> }
  | { kind: "print copy"; make(signal: AbortSignal): Promise<PrintCopy> }
);

/**
 * A file for its owner, who gets back what they sent. Staff of the shop that it was ordered from, and whoever holds a
 * signed link, get a print copy of the pages that are ordered. To everyone else it is NOT_FOUND, as a deleted one is.
 */
export async function readFile(
  ctx: Context,
  { id, link }: { id: string; link?: FileLink },
): Promise<ReadableFile> {
  const file = await findFile(ctx.readDb, id);
  if (!file) throw noSuchFile();
  if (ctx.actor.kind !== "guest" && ctx.actor.user._id === file.owner_id) return originalOf(ctx, file);
  const order = await findOrderOfFile(ctx.readDb, id);
  if (!(await mayPrint(ctx, { file, order, link }))) throw noSuchFile();
  refuseDeleted(file);
  if (!order) throw noSuchFile();
  return printCopyOf(ctx, file, order);
}

function originalOf(ctx: Context, file: FileRecord): ReadableFile {
  refuseDeleted(file);
  const { id, original_filename: name, bytes, sha256 } = file;
  return { kind: "original", name, bytes, sha256, open: (range) => ctx.files.read(id, range) };
}

function printCopyOf(
  ctx: Context,
  { id, original_filename: name, bytes }: FileRecord,
  order: OrderOfFile,
): ReadableFile {
  const files = agreedFiles(order, order.files);
  const printed = files.find((file) => file.id === id);
  if (!printed || printed.pageRanges === NO_PAGES)
    throw new AppError("NOT_FOUND", "No page of this file is printed");
  const parts = agreedJobs(order, order.files).flatMap((job, at) => {
    const part = filesOfJob(files, job).find((file) => file.id === id);
    if (!part || part.pageRanges === NO_PAGES) return [];
    const paper = paperNamed(order.papers.find((each) => each.job === at)?.name ?? "");
    const sheet = paper && job.pagesPerSide > 1 ? sheetOf(paper) : undefined;
    return [{ file: part, layout: { ...layoutOf(job), sheet } }];
  });
  const [first] = parts;
  // Pages alone on their sides stay in the order of the file, whatever divides them.
  const areAlone = parts.every(({ layout }) => layout.pagesPerSide === 1);
  const shown = first && areAlone ? [{ file: printed, layout: first.layout }] : parts;
  const make = (signal: AbortSignal) =>
    makePrintCopy(ctx, async (target) => {
      let before = 0;
      for (const { file, layout } of shown) {
        const addition = { target, before, sides: 1, signal, layout };
        before = await addPrintedPages(ctx, { ...file, name, bytes }, addition);
      }
    });
  return { kind: "print copy", name, make };
}

function noSuchFile(): AppError {
  return new AppError("NOT_FOUND", "There is no such file");
}

function refuseDeleted({ deleted_at }: FileRecord): void {
  if (deleted_at) throw new AppError("NOT_FOUND", "This file has been deleted");
}

async function mayPrint(
  ctx: Context,
  { file, order, link }: { file: FileRecord; order: OrderOfFile | undefined; link: FileLink | undefined },
): Promise<boolean> {
  if (order && (await worksAt(ctx, order.shopId))) return true;
  if (!link) return false;
  const verdict = checkLink(ctx, file.id, link);
  if (verdict === "expired") throw new AppError("NOT_FOUND", "This link has expired");
  return verdict === "good";
}

/**
 * Records that the user has looked at the PDF that one of their documents became; again it changes nothing, as for a file that
 * came as a PDF. Throws NOT_FOUND when there is no such file.
 */
export async function approveFile(ctx: Context<Uploader>, { id }: { id: string }): Promise<void> {
  const ownerId = ctx.actor.user._id;
  await markApproved(ctx.db, { id, ownerId, at: ctx.now().toISOString() });
  const [file] = await findFilesOf(ctx.db, ownerId, [id]);
  if (!file || file.deleted_at) throw noSuchFile();
}

/** Deletes the user's own upload. Throws NOT_FOUND when there is none, CONFLICT when it belongs to an order. */
export async function removeFile(ctx: Context<Uploader>, { id }: { id: string }): Promise<void> {
  const ownerId = ctx.actor.user._id;
  const removed = await markDeleted(ctx.db, { id, ownerId, at: ctx.now().toISOString() });
  if (removed) return void (await eraseWithLease(ctx, id));
  const [file] = await findFilesOf(ctx.db, ownerId, [id]);
  if (!file) throw noSuchFile();
  if (file.order_id) throw new AppError("CONFLICT", "The file belongs to an order and cannot be removed");
}

/**
 * Marks the files of an order as deleted and returns how many there were; their bytes are removed after the commit. `by` is
 * null where the grace period is over.
 */
export async function deleteOrderFiles(
  trx: Trx,
  deletion: { orderId: string; by: string | null; at: string },
): Promise<number> {
  return markOrderFilesDeleted(trx, deletion);
}

type Eraser = Pick<Deps, "db" | "files" | "now" | "log">;
/** Stops once `closing` has aborted; the next start erases what is left. */
type BackgroundEraser = Eraser & Pick<Deps, "closing">;

/**
 * Deletes uploads that nobody ordered within UNORDERED_HOURS, with their names and hashes. The row of one that its owner
 * removed stays as long, so that removing it twice is no error.
 */
export async function deleteUnordered(deps: BackgroundEraser): Promise<void> {
  const now = deps.now();
  const before = new Date(now.getTime() - UNORDERED_HOURS * HOUR_MS).toISOString();
  await markUnorderedDeleted(deps.db, { before, at: now.toISOString() });
  await eraseDeleted(deps);
  await deleteErasedUnordered(deps.db, before);
}

/** Removes the bytes of every deleted file, also where that failed before; none while the store does not answer. */
export async function eraseDeleted(deps: BackgroundEraser): Promise<void> {
  for (const id of await findFilesToErase(deps.db)) {
    if (deps.closing.aborted) return;
    if ((await eraseWithLease(deps, id)) === "no answer") return;
  }
}

function eraseWithLease(deps: Eraser, id: string) {
  return withLease(deps, { id, work: "erasure" }, () => erase(deps, id));
}

/** Removes a deleted file's bytes from the store. A failure is recorded for staff to see, and tried again later. */
async function erase(deps: Eraser, id: string): Promise<"erased" | "failed" | "no answer"> {
  try {
    await deps.files.remove(id);
    await markErased(deps.db, id, deps.now().toISOString());
    return "erased";
  } catch (error) {
    deps.log.error({ err: error, fileId: id }, "a deleted file could not be erased");
    await markEraseFailed(deps.db, id, deps.now().toISOString());
    return error instanceof AppError && error.code === "UNAVAILABLE" ? "no answer" : "failed";
  }
}

/** A server that holds a lease for longer is taken for dead. */
const LEASE_MS = MINUTE_MS;

type Worker = Pick<Deps, "db" | "files" | "now">;

/**
 * Runs `body` while this server has the lease of a file for that work. Null where another server has it, or the work is done.
 * A server whose files are on its own disk is the only one and needs no lease.
 */
export async function withLease<Result>(
  { db, files, now }: Worker,
  { id, work }: { id: string; work: FileWork },
  body: () => Promise<Result>,
): Promise<Result | null> {
  if (!files.isShared) return body();
  const at = now();
  const until = new Date(at.getTime() + LEASE_MS).toISOString();
  if (!(await leaseFile(db, id, { work, at: at.toISOString(), until }))) return null;
  try {
    return await body();
  } finally {
    await endLease(db, id, { work, until });
  }
}

/** The user's uploads that were never ordered; the others are listed with their orders. */
export function exportFiles(db: Db, ownerId: string): Promise<UnorderedFile[]> {
  return findUnorderedFiles(db, ownerId);
}

/** Marks the uploads of this user that belong to no order as deleted. The bytes are removed after the commit. */
export async function deleteUnorderedOf(trx: Trx, owner: { ownerId: string; at: string }): Promise<void> {
  await markOwnerFilesDeleted(trx, { ...owner, unorderedOnly: true });
}

/** Marks every file of this user as deleted and blanks its name. The bytes are removed after the commit. */
export async function deletePersonalFiles(trx: Trx, owner: { ownerId: string; at: string }): Promise<void> {
  await markOwnerFilesDeleted(trx, owner);
  await blankFiles(trx, owner.ownerId, "Deleted file");
}
