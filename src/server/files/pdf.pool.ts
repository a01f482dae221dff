import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { AppError } from "../errors.ts";
import type { PdfReply, PdfRequest, PdfTask, PdfTasks, PdfWorkerData } from "./pdf.protocol.ts";

/** Bounds the worker's JavaScript; the engine bounds its own memory. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };
const BROKEN = { ok: false } as const;

interface Job {
  request: PdfRequest;
  limitMs: number;
  resolve(output: PdfTasks[PdfTask]["output"] | null): void;
  reject(error: unknown): void;
}

/** Does tasks one after another in a worker thread, which is replaced once a document has broken or worn it. */
export class PdfPool {
  readonly #jobs: Job[] = [];
  readonly #restMs: number | undefined;
  #working: Promise<void> | undefined;
  #isClosed = false;
  /** Ends the waiting for the worker. */
  #stop = new AbortController();
  #worker: Worker | undefined;
  #rest: NodeJS.Timeout | undefined;

  /** After `restMs` without a task the worker is given up, and the memory that it holds; otherwise it is kept. */
  constructor({ restMs }: { restMs?: number } = {}) {
    this.#restMs = restMs;
  }

  /** What the task gives; null when the document takes more than `limitMs`, or too much memory. */
  run<T extends PdfTask>(request: PdfRequest<T>, limitMs: number): Promise<PdfTasks[T]["output"] | null> {
    return new Promise((resolve, reject) => {
      this.#jobs.push({ request, limitMs, resolve, reject } as Job);
      this.#working ??= this.#work();
    });
  }

  /** Waits until there is no task to do. */
  async untilIdle(): Promise<void> {
    while (this.#working) await this.#working;
  }

  /** Ends the worker at once; jobs that wait are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop.abort();
    await this.#retire();
  }

  async #work(): Promise<void> {
    clearTimeout(this.#rest);
    for (let job = this.#jobs.shift(); job; job = this.#jobs.shift()) {
      await this.#perform(job).then(job.resolve, job.reject);
    }
    this.#working = undefined;
    if (this.#restMs) this.#rest = setTimeout(() => this.#retire(), this.#restMs).unref();
  }

  async #perform({ request, limitMs }: Job): Promise<PdfTasks[PdfTask]["output"] | null> {
    this.#refuseWhenClosed();
    this.#stop = new AbortController();
    const worker = this.#worker ?? (await this.#start());
    const reply = await ask(worker, request, limitMs, this.#stop);
    this.#refuseWhenClosed();
    if (!reply.ok || reply.worn) await this.#retire();
    return reply.ok ? reply.output : null;
  }

  /** A worker that is ready for its first task. It does not keep the process alive. */
  async #start(): Promise<Worker> {
    const workerData: PdfWorkerData = { module: await compiledPdfium() };
    this.#refuseWhenClosed();
    const worker = new Worker(new URL("./pdf.worker.ts", import.meta.url), {
      workerData,
      resourceLimits: RESOURCE_LIMITS,
    });
    this.#worker = worker;
    worker.unref();
    worker.on("error", () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    await once(worker, "message", { signal: this.#stop.signal }).catch((error) => {
      this.#refuseWhenClosed();
      throw error;
    });
    return worker;
  }

  async #retire(): Promise<void> {
    clearTimeout(this.#rest);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }

  #refuseWhenClosed(): void {
    if (this.#isClosed)
      throw new AppError("UNAVAILABLE", "The store is closing. Please try again in a minute");
  }
}

/** BROKEN when the document takes too much time or memory, or when the waiting is stopped. */
async function ask(
  worker: Worker,
  request: PdfRequest,
  limitMs: number,
  stop: AbortController,
): Promise<PdfReply> {
  const impatience = setTimeout(() => stop.abort(), limitMs);
  worker.postMessage(request);
  try {
    const [reply] = (await once(worker, "message", { signal: stop.signal })) as [PdfReply];
    return reply;
  } catch (error) {
    if (stop.signal.aborted || isOutOfMemory(error)) return BROKEN;
    throw error;
  } finally {
    clearTimeout(impatience);
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

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown }).code === "ERR_WORKER_OUT_OF_MEMORY";
}
