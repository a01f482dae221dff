import { createHash } from "node:crypto";
import { closeSync, openSync, readSync, statSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { giveWay } from "../give-way.ts";
import { answerRequests } from "../worker-replies.ts";
import { type PageCopy, portionsOf } from "./pdf/print-copy.ts";
import { COLOUR_DOTS_PER_INCH, holdsColour } from "./pdf.colour.ts";
import { createPdfEngine, type PdfDocument, PdfRefused } from "./pdf.engine.ts";
import type {
  PdfColours,
  PdfInspection,
  PdfOutput,
  PdfRequest,
  PdfTasks,
  PdfWorkerData,
} from "./pdf.protocol.ts";

const MB = 1024 * 1024;
/** Memory never shrinks, so a worker that grew beyond this makes room for a new one. */
const WORN_HEAP_BYTES = 128 * MB;
const MAX_PAGES = 5000;

const { module, isUrgent, heapMb } = workerData as PdfWorkerData;
if (!isUrgent) giveWay();
const engine = await createPdfEngine(module, heapMb * MB);
answerRequests({
  perform,
  isWorn: () => engine.isStarved() || engine.heapBytes() > WORN_HEAP_BYTES,
});

function perform({ task, input }: PdfRequest): PdfOutput {
  switch (task) {
    case "inspect":
      return inspect(input);
    case "digest":
      return digest(input.path);
    case "findColours":
      return findColours(input);
    case "copyPages":
      return copyPages(input);
  }
}

/** Read here, for the threads that others would read it by may all be waiting for the disk. */
function digest(path: string): string {
  const hash = createHash("sha256");
  const file = openSync(path, "r");
  try {
    const piece = Buffer.allocUnsafe(MB);
    for (let read = readSync(file, piece); read > 0; read = readSync(file, piece))
      hash.update(piece.subarray(0, read));
  } finally {
    closeSync(file);
  }
  return hash.digest("hex");
}

const WITHOUT_END = Number.POSITIVE_INFINITY;

function inspect({
  path,
  limitMs = WITHOUT_END,
  copyMs = WITHOUT_END,
}: PdfTasks["inspect"]["input"]): PdfInspection {
  const inspection = countPages(path, performance.now() + limitMs);
  const isPrintable = !inspection.ok || canCopy(path, inspection.pages, performance.now() + copyMs);
  return isPrintable && !engine.isStarved() ? inspection : { ok: false, reason: "too-complex" };
}

function countPages(path: string, end: number): PdfInspection {
  try {
    const document = engine.open(path);
    const inspection = judge(document, end);
    document.close();
    return inspection;
  } catch (error) {
    if (error instanceof PdfRefused) return { ok: false, reason: error.reason };
    throw error;
  }
}

/** Looks at every page, since a document may declare more than it has. */
function judge({ pageCount, hasPage }: PdfDocument, end: number): PdfInspection {
  if (pageCount > MAX_PAGES) return { ok: false, reason: "too-many-pages" };
  for (let index = 0; index < pageCount; index++) {
    if (!hasPage(index)) return { ok: false, reason: "damaged" };
    if (performance.now() > end) return { ok: false, reason: "too-complex" };
  }
  return pageCount > 0 ? { ok: true, pages: pageCount } : { ok: false, reason: "damaged" };
}

/** Whether every page can be copied for print, in the portions in which that is done. */
function canCopy(path: string, total: number, end: number): boolean {
  const all = Array.from({ length: total }, (_, index) => index);
  return portionsOf(all, { total, bytes: statSync(path).size }).every(
    (pages) => copyPages({ path, pages, target: null }) === pages.length && performance.now() <= end,
  );
}

/** What is found once memory has run out is not believed. */
function findColours({ path, firstPage, limitMs }: PdfTasks["findColours"]["input"]): PdfColours {
  const end = performance.now() + limitMs;
  const found: PdfColours = { coloured: [], lastPage: firstPage - 1 };
  const document = engine.open(path);
  do {
    const picture = document.draw(found.lastPage, COLOUR_DOTS_PER_INCH);
    if (engine.isStarved()) break;
    found.lastPage += 1;
    if (picture && holdsColour(picture)) found.coloured.push(found.lastPage);
  } while (found.lastPage < document.pageCount && performance.now() < end);
  document.close();
  return found;
}

function copyPages({ path, pages, target }: { path: string } & PageCopy): number | null {
  try {
    const document = engine.open(path);
    const count = document.copyPages({ pages, target });
    document.close();
    return engine.isStarved() ? null : count;
  } catch (error) {
    if (error instanceof PdfRefused) return null;
    throw error;
  }
}
