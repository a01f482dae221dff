import { statSync } from "node:fs";
import { workerData } from "node:worker_threads";
import { writePageSizes } from "#shared/paper-sizes.ts";
import type { Size } from "#shared/sheet-layout.ts";
import { answerRequests } from "../../lib/worker-replies.ts";
import { createPdfEngine, type PdfDocument, PdfRefused } from "./engine.ts";
import type {
  PdfInspection,
  PdfOutput,
  PdfRefusal,
  PdfRequest,
  PdfTasks,
  PdfWorkerData,
} from "./inspector.ts";
import {
  COLOUR_DOTS_PER_INCH,
  nothingFound,
  PAGE_CHECKS,
  PAGE_FINDINGS,
  type PageFindings,
} from "./page-checks.ts";
import { type PageCopy, splitIntoPortions } from "./print-copy.ts";

const MB = 1024 * 1024;
/** WebAssembly memory never shrinks, so a worker that grew beyond this is replaced. */
const EXHAUSTED_HEAP_BYTES = 128 * MB;
const MAX_PAGES = 5000;
/** Pages with hidden layers are printed as pictures, and each of them takes half a second. */
const MAX_PAGES_WITH_HIDDEN_LAYERS = 100;

const { module, heapMb } = workerData as PdfWorkerData;
const engine = await createPdfEngine(module, heapMb * MB);
answerRequests({
  perform,
  isExhausted: () => engine.isOutOfMemory() || engine.heapBytes() > EXHAUSTED_HEAP_BYTES,
});

function perform({ task, input }: PdfRequest): PdfOutput {
  switch (task) {
    case "inspect":
      return inspect(input);
    case "unlock":
      return unlock(input);
    case "checkPages":
      return checkPages(input);
    case "copyPages":
      return copyPages(input);
  }
}

function inspect({ path, limitMs = Number.POSITIVE_INFINITY }: PdfTasks["inspect"]["input"]): PdfInspection {
  try {
    const document = engine.open(path);
    const inspection = judge(document, performance.now() + limitMs);
    const refusal = inspection.ok ? judgeCopying(document, path, performance.now() + limitMs) : null;
    document.close();
    const reason = engine.isOutOfMemory() ? "too-complex" : refusal;
    return reason ? { ok: false, reason } : inspection;
  } catch (error) {
    return refusalOf(error);
  }
}

function unlock({ path, password, target, limitMs }: PdfTasks["unlock"]["input"]): PdfInspection {
  try {
    const end = performance.now() + limitMs;
    const document = engine.open(path, password);
    const inspection = judge(document, end);
    const isCopied = inspection.ok && copyAllPages(document, { path, target, end });
    document.close();
    if (inspection.ok && (!isCopied || engine.isOutOfMemory())) return { ok: false, reason: "too-complex" };
    return inspection;
  } catch (error) {
    return refusalOf(error);
  }
}

/** Why PDFium would not open a document. Throws every other error. */
function refusalOf(error: unknown): PdfInspection {
  if (!(error instanceof PdfRefused)) throw error;
  return { ok: false, reason: engine.isOutOfMemory() ? "too-complex" : error.reason };
}

/** Copies the pages in portions. False where that fails or takes too long. */
function copyAllPages(
  document: PdfDocument,
  { path, target, end }: { path: string; target: string; end: number },
): boolean {
  const total = document.pageCount;
  const bytes = statSync(path).size;
  let count = 0;
  while (count < total) {
    const rest = Array.from({ length: total - count }, (_, index) => count + index);
    const [portion = []] = splitIntoPortions(rest, { total, bytes });
    const copied = document.copyPages({ pages: portion, target });
    if (copied === null || copied <= count || engine.isOutOfMemory() || performance.now() > end) return false;
    count = copied;
    if (count < total) document.reopen();
  }
  return true;
}

/** Checks every page, since a document may declare more than it has, and pages of which nothing is in sight. */
function judge({ pageCount, pageSize }: PdfDocument, end: number): PdfInspection {
  if (pageCount > MAX_PAGES) return { ok: false, reason: "too-many-pages" };
  const sizes: Size[] = [];
  for (let index = 0; index < pageCount; index++) {
    const size = pageSize(index);
    if (!size) return { ok: false, reason: "damaged" };
    sizes.push(size);
    if (performance.now() > end) return { ok: false, reason: "too-complex" };
  }
  if (pageCount <= 0) return { ok: false, reason: "damaged" };
  return { ok: true, pages: pageCount, pageSizes: writePageSizes(sizes) };
}

/** Copies all pages on trial, in the portions of a print copy. Returns why that fails, or null. */
function judgeCopying(document: PdfDocument, path: string, end: number): PdfRefusal | null {
  const total = document.pageCount;
  const all = Array.from({ length: total }, (_, index) => index);
  let hasLayers = false;
  for (const [index, pages] of splitIntoPortions(all, { total, bytes: statSync(path).size }).entries()) {
    if (index > 0) document.reopen();
    const tried = document.tryCopying(pages);
    if (!tried || engine.isOutOfMemory() || performance.now() > end) return "too-complex";
    hasLayers ||= tried.hasLayers;
  }
  if (!hasLayers) return null;
  document.reopen();
  return judgeLayers(document, end);
}

/** Draws pages that are printed as pictures, small: some would never be finished. */
function judgeLayers(document: PdfDocument, end: number): PdfRefusal | null {
  if (!document.hasHiddenLayers()) return null;
  if (document.pageCount > MAX_PAGES_WITH_HIDDEN_LAYERS) return "hidden-layers";
  for (let index = 0; index < document.pageCount; index++) {
    if (!document.draw(index, COLOUR_DOTS_PER_INCH) || performance.now() > end) return "too-complex";
  }
  return null;
}

/** What is found after memory ran out does not count. */
function checkPages({ path, firstPage, limitMs }: PdfTasks["checkPages"]["input"]): PageFindings {
  const end = performance.now() + limitMs;
  const found = nothingFound(firstPage - 1);
  const document = engine.open(path);
  do {
    const picture = document.draw(found.lastPage, COLOUR_DOTS_PER_INCH);
    if (engine.isOutOfMemory()) break;
    found.lastPage += 1;
    if (!picture) continue;
    for (const kind of PAGE_FINDINGS) if (PAGE_CHECKS[kind](picture)) found[kind].push(found.lastPage);
  } while (found.lastPage < document.pageCount && performance.now() < end);
  document.close();
  return found;
}

function copyPages({ path, ...copy }: { path: string } & PageCopy): number | null {
  try {
    const document = engine.open(path);
    const count = document.copyPages(copy);
    document.close();
    return engine.isOutOfMemory() ? null : count;
  } catch (error) {
    if (error instanceof PdfRefused) return null;
    throw error;
  }
}
