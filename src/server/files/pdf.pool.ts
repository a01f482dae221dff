import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { WorkerPool } from "../worker-pool.ts";
import type { PdfOutput, PdfRequest, PdfTask, PdfTasks, PdfWorkerData } from "./pdf.protocol.ts";

/** Bounds the worker's JavaScript; the engine bounds its own memory. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };

/** Does tasks one after another in a worker thread, which is replaced once a document has broken or worn it. */
export class PdfPool {
  readonly #workers: WorkerPool<PdfRequest, PdfOutput>;

  /** After `restMs` without a task the worker is given up, and the memory that it holds; otherwise it is kept. */
  constructor({ restMs }: { restMs?: number } = {}) {
    this.#workers = new WorkerPool({
      module: new URL("./pdf.worker.ts", import.meta.url),
      data: async (): Promise<PdfWorkerData> => ({ module: await compiledPdfium() }),
      resourceLimits: RESOURCE_LIMITS,
      restMs,
    });
  }

  /** What the task gives; null when the document takes more than `limitMs`, or too much memory. */
  run<T extends PdfTask>(
    request: PdfRequest<T>,
    limitMs: number,
    signal?: AbortSignal,
  ): Promise<PdfTasks[T]["output"] | null> {
    return this.#workers.run(request, { limitMs, signal });
  }

  /** Starts a worker where there is none, so that the next task need not wait for that. */
  prepare(): void {
    this.#workers.prepare();
  }

  /** Waits until there is no task to do. */
  untilIdle(): Promise<void> {
    return this.#workers.untilIdle();
  }

  /** Ends the worker at once; jobs that wait are refused. */
  close(): Promise<void> {
    return this.#workers.close();
  }
}

let compilation: Promise<WebAssembly.Module> | undefined;

/** PDFium, compiled once in this process. */
function compiledPdfium(): Promise<WebAssembly.Module> {
  compilation ??= compilePdfium();
  return compilation;
}

async function compilePdfium(): Promise<WebAssembly.Module> {
  const path = fileURLToPath(import.meta.resolve("@embedpdf/pdfium/pdfium.wasm"));
  return WebAssembly.compile(await readFile(path));
}
