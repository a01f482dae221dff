import { randomUUID } from "node:crypto";
import { mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { type FilePages, printedPages } from "#shared/print-pages.ts";
import type { Context } from "../../context.ts";
import { AppError } from "../../errors.ts";
import type { DiskRoom } from "../../http/disk-room.ts";
import { type Client, type Share, scaledShare } from "../../lib/fair-limit.ts";
import { findFile } from "../files.queries.ts";
import { PdfPool } from "./inspector.ts";
import { portionsOf } from "./print-copy.ts";

/**
 * Uploads are strangers' bytes, and what is made of them stays suspicious: whatever it turns out to be, no browser may run
 * it, or show it under this origin.
 */
export const DOWNLOAD_HEADERS = {
  "Content-Type": "application/pdf",
  "X-Content-Type-Options": "nosniff",
  "Content-Security-Policy": "sandbox; default-src 'none'; frame-ancestors 'none'",
  "Cache-Control": "private, no-store",
};

/** Makes print copies: the pages to print and nothing else, as PDFium draws them and never as somebody sent them. */
export interface PrintCopier {
  /** What copies may take of the disk. */
  room: DiskRoom;
  /** Makes a place for one copy; who asks for it deletes it. */
  openFolder(): Promise<string>;
  /**
   * Adds pages, counted from 0, to the copy at `target`, or the first of them, and gives how many it has then; null where
   * that takes too much time or memory.
   */
  add(copy: { path: string; pages: number[]; target: string }, client: Client): Promise<number | null>;
  close(): Promise<void>;
}

/** A PDF to hand out. What lay on the disk for it is gone once it is read, or not wanted any more. */
export interface PrintCopy {
  bytes: number;
  body: ReadableStream<Uint8Array>;
}

/** A file of an order and which of its pages are printed. */
export interface PrintedFile extends FilePages {
  id: string;
  name: string;
  bytes: number;
}

/** Files are taken in only where that was possible in a fraction of it. */
const PORTION_MS = 30_000;
const REST_MS = 30_000;
/** The second works where somebody else's file takes long. */
const WORKERS = 2;
/** A shop that prints all day takes a second or two for each order. */
const SHARE: Share = { things: "print copies", atOnce: 1, waiting: 20, hourlyMs: 20 * 60 * 1000 };

/**
 * Works in `folder`, from which it clears away what a server left there that was killed.
 * @param room of the disk that it is on
 * @param scale multiplies what an account may have wait and take in an hour; 0 sets no bounds to that
 */
export async function createPrintCopier(folder: string, room: DiskRoom, scale: number): Promise<PrintCopier> {
  const clear = () => rm(folder, { recursive: true, force: true });
  await clear();
  const pool = new PdfPool({ workers: WORKERS, restMs: REST_MS, share: scaledShare(SHARE, scale) });
  return {
    room,
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

/** Has `write` make a PDF at a path of its own. Where it throws, nothing is left and nothing is handed out. */
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
    // What is open is read to its end all the same.
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Adds the pages to print of a file to the copy at `target`, which has `before` pages, and gives how many it has then.
 * Throws NOT_FOUND where the store has lost the file, UNREADABLE_FILE where its pages cannot be copied, all of them, and
 * STORAGE_FULL where the disk has no room for them.
 */
export async function addPrintedPages(
  ctx: Context,
  file: PrintedFile,
  { target, before, signal }: { target: string; before: number; signal: AbortSignal },
): Promise<number> {
  const pages = pageNumbers(file);
  if (pages.length === 0) return before;
  const record = await findFile(ctx.readDb, file.id);
  if (!record || record.deleted_at) throw new AppError("NOT_FOUND", `“${file.name}” has been deleted`);
  return ctx.files.withLocalFile(record.storage_key, async (path) => {
    const client = { account: whoPrints(ctx), signal };
    let count = before;
    for (const portion of portionsOf(pages, { total: file.pages, bytes: file.bytes })) {
      const end = count + portion.length;
      while (count < end) {
        const rest = portion.slice(count - end);
        const bytes = Math.ceil((file.bytes * rest.length) / file.pages);
        const leaveDisk = await ctx.printCopies.room.take(bytes);
        const added = await ctx.printCopies.add({ path, pages: rest, target }, client).finally(leaveDisk);
        if (added === null || added <= count || added > end) throw notCopied(ctx, file, added);
        count = added;
      }
    }
    return count;
  });
}

/** Whose turn at the worker it is. Who follows a link from a mail is known by their address. */
export function whoPrints({ actor, address }: Context): string {
  return actor.kind === "user" ? actor.user._id : `address ${address}`;
}

/** Whatever differs from what was billed is a failure: nobody prints it, and the log says why. */
function notCopied({ log, requestId }: Context, { id, name }: PrintedFile, added: number | null): AppError {
  log.error({ fileId: id, added, requestId }, "no print copy can be made of a file");
  return new AppError(
    "UNREADABLE_FILE",
    `No print copy of “${name}” can be made: its pages cannot all be copied. Ask the student for it as a new PDF`,
  );
}

/** The pages to print, counted from 0. */
function pageNumbers(file: FilePages): number[] {
  return printedPages(file).flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, at) => first - 1 + at),
  );
}
