import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { type PdfEngine, PdfRefused } from "./pdf.engine.ts";
import { PAGES_OBJECT, type Piece, type PieceRequest } from "./pdf.pieces.ts";
import { emptyFrame, readKids, readTable } from "./pdf.syntax.ts";

/** The place of the cross-reference table stands within so many bytes of the end. */
const TAIL_BYTES = 64;

/**
 * Cuts pages out of a document in the worker; null where PDFium cannot. What a worker before has left of the piece, since
 * it was ended in the middle of it, is written anew.
 */
export function cutPiece(engine: PdfEngine, request: PieceRequest): Piece | null {
  const fd = openSync(request.target, "w+");
  try {
    return copyPages(engine, request, fd) ? readPiece(request, fd) : null;
  } finally {
    closeSync(fd);
  }
}

function copyPages(engine: PdfEngine, { source, pages, firstObject }: PieceRequest, fd: number): boolean {
  try {
    const document = engine.open(source);
    const isDone = document.copyPages({ pages, frame: emptyFrame(firstObject), fd });
    document.close();
    return isDone && !engine.isStarved();
  } catch (error) {
    if (error instanceof PdfRefused) return false;
    throw error;
  }
}

/** Finds the new objects in the document that PDFium wrote: they stand together, behind those of the frame. */
function readPiece({ target, pages, firstObject }: PieceRequest, fd: number): Piece | null {
  const size = fstatSync(fd).size;
  const tableAt = Number(/startxref\s+(\d+)/.exec(readText(fd, size - TAIL_BYTES, size))?.[1]);
  const table = readTable(readText(fd, tableAt, size));
  const start = table.get(firstObject);
  const node = table.get(PAGES_OBJECT);
  if (start === undefined || node === undefined) return null;
  const kids = readKids(readText(fd, node, start));
  const objects = Math.max(...table.keys()) + 1 - firstObject;
  const offsets = Array.from({ length: objects }, (_, index) => {
    const offset = table.get(firstObject + index);
    return offset === undefined ? null : offset - start;
  });
  return kids.length === pages.length
    ? { path: target, start, end: tableAt - 1, offsets, pages: kids }
    : null;
}

function readText(fd: number, from: number, until: number): string {
  const bytes = Buffer.alloc(until - from);
  readSync(fd, bytes, 0, bytes.length, from);
  return bytes.toString("latin1");
}
