import type { Readable } from "node:stream";
import { firstPages, NO_PAGES } from "#shared/print-pages.ts";
import type { Context } from "../context.ts";
import { hasShop } from "../context.ts";
import { AppError } from "../errors.ts";
import { asStaff } from "../staff/staff.access.service.ts";
import { checkLink, type FileLink } from "./files.links.ts";
import { addPrintedPages, makePrintCopy, type PrintCopy } from "./files.printing.service.ts";
import { type FileRecord, findFile, findJobOfFile, type JobOfFile } from "./files.queries.ts";
import type { StoredRange } from "./files.store.ts";

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
  if (ctx.actor.kind === "user" && ctx.actor.user._id === file.owner_id) return originalOf(ctx, file);
  const job = await findJobOfFile(ctx.readDb, id);
  if (!(await mayPrint(ctx, { file, job, link }))) throw noSuchFile();
  refuseDeleted(file);
  if (!job) throw noSuchFile();
  return printCopyOf(ctx, file, job);
}

function originalOf(ctx: Context, file: FileRecord): ReadableFile {
  refuseDeleted(file);
  const { original_filename: name, bytes, sha256, storage_key: key } = file;
  return { kind: "original", name, bytes, sha256, open: (range) => ctx.files.read(key, range) };
}

function printCopyOf(
  ctx: Context,
  { id, original_filename: name, bytes }: FileRecord,
  job: JobOfFile,
): ReadableFile {
  const printed = firstPages(job.files, job.pages).find((file) => file.id === id);
  if (!printed || printed.pageRanges === NO_PAGES)
    throw new AppError("NOT_FOUND", "No page of this file is printed");
  const file = { ...printed, name, bytes };
  const make = (signal: AbortSignal) =>
    makePrintCopy(
      ctx,
      async (target) => void (await addPrintedPages(ctx, file, { target, before: 0, signal })),
    );
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
  { file, job, link }: { file: FileRecord; job: JobOfFile | undefined; link: FileLink | undefined },
): Promise<boolean> {
  if (job && (await isForTheirShop(ctx, job))) return true;
  if (!link) return false;
  const verdict = checkLink(ctx, file.id, link);
  if (verdict === "expired") throw new AppError("NOT_FOUND", "This link has expired");
  return verdict === "good";
}

async function isForTheirShop(ctx: Context, { shopId }: JobOfFile): Promise<boolean> {
  const { actor } = ctx;
  if (actor.kind === "guest" || actor.user.role === "customer") return false;
  return hasShop(await asStaff(ctx, actor.user), shopId);
}
