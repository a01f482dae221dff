import { parentPort, workerData } from "node:worker_threads";
import { createPdfEngine, type PdfDocument, PdfRefused } from "./pdf.engine.ts";
import type { PdfInspection } from "./pdf.inspector.ts";
import type { PdfReply, PdfRequest, PdfWorkerData } from "./pdf.protocol.ts";

const MB = 1024 * 1024;
/** Where decompression bombs are stopped. */
const MAX_HEAP_BYTES = 256 * MB;
/** Memory never shrinks, so a worker that grew beyond this makes room for a new one. */
const WORN_HEAP_BYTES = 128 * MB;
const MAX_PAGES = 5000;

const { module } = workerData as PdfWorkerData;
const engine = await createPdfEngine(module, MAX_HEAP_BYTES);
parentPort?.on("message", (request: PdfRequest) => parentPort?.postMessage(reply(request)));
parentPort?.postMessage("ready");

function reply(request: PdfRequest): PdfReply {
  try {
    const output = perform(request);
    return { ok: true, output, worn: engine.isStarved() || engine.heapBytes() > WORN_HEAP_BYTES };
  } catch (error) {
    if (isSystemError(error)) throw error;
    return { ok: false };
  }
}

function perform(request: PdfRequest): PdfInspection {
  switch (request.task) {
    case "inspect":
      return inspect(request.input.path);
  }
}

function inspect(path: string): PdfInspection {
  const inspection = countPages(path);
  return engine.isStarved() ? { ok: false, reason: "too-complex" } : inspection;
}

function countPages(path: string): PdfInspection {
  try {
    const document = engine.open(path);
    const inspection = judge(document);
    document.close();
    return inspection;
  } catch (error) {
    if (error instanceof PdfRefused) return { ok: false, reason: error.reason };
    throw error;
  }
}

/** Looks at every page, since a document may declare more than it has. */
function judge({ pageCount, hasPage }: PdfDocument): PdfInspection {
  if (pageCount > MAX_PAGES) return { ok: false, reason: "too-many-pages" };
  for (let index = 0; index < pageCount; index++) {
    if (!hasPage(index)) return { ok: false, reason: "damaged" };
  }
  return pageCount > 0 ? { ok: true, pages: pageCount } : { ok: false, reason: "damaged" };
}

/** A file that cannot be read is the machine's fault, not the document's. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
