import { randomUUID } from "node:crypto";
import { mkdir, open, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { MINUTE_MS } from "#shared/durations.ts";
import { countPrinted, type FilePages, listPages, printedPages } from "#shared/print-pages.ts";
import { bookletOrder } from "#shared/sheet-layout.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { DiskSpace } from "../../http/disk-space.ts";
import { type Client, type Share, scaledShare } from "../../lib/fair-limit.ts";
import { findFile } from "../files.queries.ts";
import { PdfPool } from "./inspector.ts";
import type { PlacedLayout } from "./page-layout.ts";
import { type PageCopy, splitIntoPortions } from "./print-copy.ts";

/** Uploads are untrusted, and so are their print copies: no browser may run them or show them under this origin. */
export const DOWNLOAD_HEADERS = {
  "Content-Type": "application/pdf",
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
  "Cache-Control": "private, no-store",
};

/** Makes print copies: only the pages to print, and as PDFium writes them, never the bytes that were uploaded. */
export interface PrintCopier {
  /** Disk space for the copies. */
  space: DiskSpace;
  /** Makes a folder for one copy, which the caller deletes. */
  openFolder(): Promise<string>;
  /**
   * Adds pages of the PDF at `path`, or the first of them, to a copy. Returns how many it has then; null where that takes too
   * much time or memory.
   */
  add(copy: { path: string } & PageCopy, client: Client): Promise<number | null>;
  close(): Promise<void>;
}

/** A PDF to send. Its file is already removed from its folder, and gone once it has been read. */
export interface PrintCopy {
  bytes: number;
  body: ReadableStream<Uint8Array>;
}

/** A file of an order and which of its pages are printed. */
interface PrintedFile extends FilePages {
  id: string;
  name: string;
  bytes: number;
}

/** Limit of a portion. Uploads are only accepted where the trial took a fraction of it. */
const PORTION_MS = 30_000;
const REST_MS = 30_000;
/** The second one works while somebody else's file takes long. */
const WORKERS = 2;
/** Pages that share a side are in memory together, three times over: also the largest file that an upload may be. */
const HEAP_MB = 320;
/** A shop that prints all day takes a second or two for each order. */
const SHARE: Share = { things: "print copies", atOnce: 1, waiting: 20, hourlyMs: 20 * MINUTE_MS };

/**
 * Creates the copier, which works in `folder`. Files that a killed server left there are removed first.
 * @param space on the disk of that folder
 * @param scale multiplies how many copies of an account may wait and how long they may take in an hour; 0 means no limit
 */
export async function createPrintCopier(
  folder: string,
  space: DiskSpace,
  scale: number,
): Promise<PrintCopier> {
  const clear = () => rm(folder, { recursive: true, force: true });
  await clear();
  const plan = { workers: WORKERS, restMs: REST_MS, share: scaledShare(SHARE, scale) };
  const pool = new PdfPool(plan, { heapMb: HEAP_MB });
  return {
    space,
    async openFolder() {
      const path = join(folder, randomUUID());
      await mkdir(path, { recursive: true });
      return path;
    },
    add: (input, client) => pool.run({ task: "copyPages", input }, { ...client, limitMs: PORTION_MS }),
    async close() {
      await pool.close();
      await clear();
    },
  };
}

/** Has `write` make a PDF in a new folder and opens it for sending. Where it throws, nothing is left. */
export async function makePrintCopy(
  { printCopies }: Pick<Context, "printCopies">,
  write: (target: string) => Promise<void>,
): Promise<PrintCopy> {
  const folder = await printCopies.openFolder();
  try {
    const target = join(folder, "copy.pdf");
    await write(target);
    const file = await open(target);
    const { size } = await file.stat();
    return { bytes: size, body: Readable.toWeb(file.createReadStream()) as ReadableStream<Uint8Array> };
  } finally {
    // An open file can still be read to its end.
    await rm(folder, { recursive: true, force: true });
  }
}

/** Where and how pages are added: to the copy at `target`, which has `before` pages. */
interface Addition {
  target: string;
  before: number;
  /** With 2 they begin on a fresh sheet: where `before` is odd, a blank page comes first. */
  sides: number;
  signal: AbortSignal;
}

/**
 * Adds the pages to print of a file to a copy, several on a side or fitted to a sheet where the layout says so, and returns how
 * many pages the copy has then. Throws NOT_FOUND where the file is gone, UNREADABLE_FILE where not all of its pages can be copied, and STORAGE_FULL.
 */
export async function addPrintedPages(
  ctx: Context,
  file: PrintedFile,
  { layout, ...addition }: Addition & { layout: PlacedLayout },
): Promise<number> {
  if (layout.pagesPerSide === 1 && !layout.sheet) return addPages(ctx, file, addition);
  const { target, before, signal } = addition;
  const path = `${target}.pages`;
  try {
    const total = await addPages(ctx, file, { target: path, before: 0, sides: 1, signal });
    if (total === 0) return before;
    const refusal = (added: number | null) => notCopied(ctx, file, added);
    if (total !== countPrinted([file])) throw refusal(total);
    const { size: bytes } = await stat(path);
    const pages = layout.isBooklet ? bookletOrder(total) : Array.from({ length: total }, (_, at) => at);
    return await addPortions(ctx, { path, pages, total, bytes, layout }, addition, refusal);
  } finally {
    await rm(path, { force: true });
  }
}

async function addPages(
  ctx: Context,
  file: PrintedFile,
  { target, before, sides, signal }: Addition,
): Promise<number> {
  const pages = pageNumbers(file);
  if (pages.length === 0) return before;
  const record = await findFile(ctx.readDb, file.id);
  if (!record || record.deleted_at) throw new AppError("NOT_FOUND", `“${file.name}” has been deleted`);
  // A file at UploadThing is fetched to this disk, before its work has its turn.
  const leaveFetched = ctx.files.isShared ? await ctx.printCopies.space.take(file.bytes) : () => {};
  const work = ctx.files.withLocalFile(file.id, (path) => {
    const source = { path, pages, total: file.pages, bytes: file.bytes };
    return addPortions(ctx, source, { target, before, sides, signal }, (added) =>
      notCopied(ctx, file, added),
    );
  });
  return work.finally(leaveFetched);
}

/** Adds all pages of the print copy at `path` several times, one after the other, as few bytes as PDFium can share. */
export async function addRepeatedly(
  ctx: Context,
  { path, pages, times }: { path: string; pages: number; times: number },
  { target, before, signal }: Omit<Addition, "sides">,
): Promise<number> {
  const { size: bytes } = await stat(path);
  const repeated = Array.from({ length: pages * times }, (_, at) => at % pages);
  const source = { path, pages: repeated, total: pages, bytes };
  return addPortions(
    ctx,
    source,
    { target, before, sides: 1, signal },
    () => new AppError("UNAVAILABLE", "The copies could not be made just now. Please try again"),
  );
}

interface PageSource {
  path: string;
  /** Counted from 0. */
  pages: number[];
  /** How many pages and bytes the PDF has. */
  total: number;
  bytes: number;
  layout?: PlacedLayout;
}

/** Adds pages of a PDF in portions that fit into memory. Of pages without a layout, each call may add only the first. */
async function addPortions(
  ctx: Context,
  { path, pages, total, bytes, layout }: PageSource,
  { target, before, sides, signal }: Addition,
  refusal: (added: number | null) => AppError,
): Promise<number> {
  const client = { account: printingAccount(ctx), signal };
  const first = before + blanksBefore(before, sides);
  let count = first;
  const unit = layout?.pagesPerSide;
  for (const portion of splitIntoPortions(pages, { total, bytes, unit })) {
    const end = count + Math.ceil(portion.length / (unit ?? 1));
    while (count < end) {
      const rest = layout ? portion : portion.slice(count - end);
      const leaveDisk = await ctx.printCopies.space.take(Math.ceil((bytes * rest.length) / total));
      const onFreshSheet = sides === 2 && count === first;
      const copy = { path, pages: rest, target, onFreshSheet, layout };
      const added = await ctx.printCopies.add(copy, client).finally(leaveDisk);
      const isPartial = added !== null && added > count && added < end && !layout;
      if (added !== end && !isPartial) throw refusal(added);
      count = added;
    }
  }
  return count;
}

/** Blank pages that begin a fresh sheet after this many pages. */
function blanksBefore(count: number, sides: number): number {
  return sides === 2 ? count % 2 : 0;
}

/** The account that a copy counts for. People who follow a link from an email are known by their address. */
export function printingAccount({ actor, address }: Context): string {
  return actor.kind === "user" ? actor.user._id : `address ${address}`;
}

/** A copy that differs from what was billed must not be printed. The log says why. */
function notCopied({ log, requestId }: Context, { id, name }: PrintedFile, added: number | null): AppError {
  log.error({ fileId: id, added, requestId }, "no print copy can be made of a file");
  return new AppError(
    "UNREADABLE_FILE",
    `No print copy of “${name}” can be made: its pages cannot all be copied. Ask the student for it as a new PDF`,
  );
}

/** The pages to print, counted from 0. */
function pageNumbers(file: FilePages): number[] {
  return listPages(printedPages(file)).map((page) => page - 1);
}
