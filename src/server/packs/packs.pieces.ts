import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { readFile } from "../files/files.reading.service.ts";
import type { Cutting, Piece } from "../files/pdf.pieces.ts";
import type { OrderDetail } from "../queue/queue.detail.service.ts";
import type { Notice, Ticket } from "../sheets/ticket.ts";
import { isSwollen, pagesPerPiece, pagesToPrint } from "./packs.portions.ts";
import { ticketOf } from "./packs.ticket-facts.ts";

interface Pack {
  ctx: Context;
  order: OrderDetail;
  folder: string;
  signal: AbortSignal;
  /** Who prints. */
  account: string | undefined;
  cutting: Cutting;
}

type PackFile = OrderDetail["files"][number];

/**
 * The ticket and the files of an order in pieces, made in `folder`. What cannot be read has a page in its place that
 * says so.
 */
export async function* packPieces(
  ctx: Context,
  order: OrderDetail,
  { folder, signal }: { folder: string; signal: AbortSignal },
): AsyncGenerator<Piece> {
  const account = ctx.actor.kind === "user" ? ctx.actor.user._id : undefined;
  const pack: Pack = { ctx, order, folder, signal, account, cutting: ctx.packs.cutter.begin(folder, signal) };
  yield drawPiece(pack, { ticket: ticketOf(ctx, order) });
  for (const file of order.files) yield* filePieces(pack, file);
}

async function* filePieces(pack: Pack, file: PackFile): AsyncGenerator<Piece> {
  const source = join(pack.folder, "source.pdf");
  if (!(await fetchFile(pack, file, source))) {
    yield drawPiece(pack, { notice: noticeOf(pack, file, "It could not be read from the store") });
    return;
  }
  yield* cutPieces(pack, file, source);
  await rm(source);
}

/** False where the store does not have it: the pack is of use without it. */
async function fetchFile({ ctx, signal }: Pack, { id }: PackFile, path: string): Promise<boolean> {
  signal.throwIfAborted();
  try {
    const file = await readFile(ctx, { id });
    await file.copyTo(path);
    return true;
  } catch (error) {
    ctx.log.error(
      { err: error, fileId: id, requestId: ctx.requestId },
      "a file is missing from a print pack",
    );
    return false;
  }
}

async function* cutPieces(pack: Pack, file: PackFile, source: string): AsyncGenerator<Piece> {
  const pages = pagesToPrint(file);
  let portion = pagesPerPiece(file);
  for (let done = 0; done < pages.length; ) {
    const next = pages.slice(done, done + portion);
    const piece = await pack.cutting.cut(source, next);
    if (!piece) {
      const from = done === 0 ? "It" : `From page ${(next[0] ?? 0) + 1} on it`;
      yield drawPiece(pack, { notice: noticeOf(pack, file, `${from} could not be read`) });
      return;
    }
    yield piece;
    done += next.length;
    if (isSwollen(piece, file, next.length)) portion = pages.length;
  }
}

function noticeOf({ order }: Pack, { name }: PackFile, reason: string): Notice {
  return {
    number: order.number,
    title: `“${name}” is not all in this pack`,
    text: `${reason}. Open the order in the console and download the file to print it from there.`,
  };
}

async function drawPiece(
  { ctx, folder, signal, account, cutting }: Pack,
  content: { ticket: Ticket } | { notice: Notice },
): Promise<Piece> {
  const target = join(folder, "drawn.pdf");
  const drawing = await ctx.sheets.draw(content, { account, signal });
  if (drawing) await writeFile(target, drawing.bytes, { flag: "wx" });
  const piece = drawing && (await cutting.cut(target, [...Array(drawing.pages).keys()]));
  if (!piece)
    throw new AppError("UNAVAILABLE", "The print pack could not be made just now. Please try again");
  await rm(target);
  return piece;
}
