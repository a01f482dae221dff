import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { type JobOptions, type WorkerPlan, WorkerPool } from "../worker-pool.ts";
import type { PdfOutput, PdfRequest, PdfTask, PdfTasks, PdfWorkerData } from "./pdf.protocol.ts";

/** Bounds the worker's JavaScript; the engine bounds its own memory. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };

/** How many workers, for how long, and for whom. */
type PdfPoolPlan = Pick<WorkerPlan, "workers" | "restMs" | "share">;

/** Where decompression bombs are stopped. */
const HEAP_MB = 256;

/** Does tasks in worker threads, which are replaced once a document has broken or worn them. */
export class PdfPool {
  readonly #pool: WorkerPool<PdfRequest, PdfOutput>;

  /**
   * @param isUrgent whether people wait for its tasks; its workers come after all others on their core otherwise
   * @param heapMb what a document may take in each of its workers
   */
  constructor(plan: PdfPoolPlan = {}, { isUrgent = true, heapMb = HEAP_MB } = {}) {
    this.#pool = new WorkerPool({
      ...plan,
      module: new URL("./pdf.worker.ts", import.meta.url),
      data: async (): Promise<PdfWorkerData> => ({ module: await compiledPdfium(), isUrgent, heapMb }),
      resourceLimits: RESOURCE_LIMITS,
    });
  }

  /** What the task gives; null when the document takes more than `limitMs`, or too much memory. */
  run<T extends PdfTask>(request: PdfRequest<T>, options: JobOptions): Promise<PdfTasks[T]["output"] | null> {
    return this.#pool.run(request, options);
  }

  /** Throws RATE_LIMITED where this account may have no more tasks. */
  check(account?: string): void {
    this.#pool.check(account);
  }

  /** Gets ready for a task of this account. Throws RATE_LIMITED where it may have no more. */
  prepare(account?: string): void {
    this.#pool.prepare(account);
  }

  /** Waits until there is no task to do. */
  untilIdle(): Promise<void> {
    return this.#pool.untilIdle();
  }

  /** Ends the workers at once; jobs that wait are refused. */
  close(): Promise<void> {
    return this.#pool.close();
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
