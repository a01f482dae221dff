import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { AppError } from "../errors.ts";
import type { PdfInspection, PdfInspector } from "./pdf.inspector.ts";
import type { PdfReply, PdfRequest, PdfWorkerData } from "./pdf.protocol.ts";

const INSPECT_MS = 5000;
/** Bounds the worker's JavaScript; the engine bounds its own memory. */
const RESOURCE_LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };
const BROKEN: PdfReply = { ok: false };

interface Job {
  request: PdfRequest;
  limitMs: number;
  resolve(output: PdfInspection): void;
  reject(error: unknown): void;
}

/** Inspects PDFs one after another in a worker thread, which is replaced once a document has broken or worn it. */
export function createPdfInspector(): PdfInspector {
  const pool = new PdfPool();
  return {
    inspect: (path) => pool.run({ task: "inspect", input: { path } }, INSPECT_MS),
    close: () => pool.close(),
  };
}

class PdfPool {
  readonly #jobs: Job[] = [];
  #isBusy = false;
  #isClosed = false;
  /** Ends the waiting for the worker. */
  #stop = new AbortController();
  #worker: Worker | undefined;
  #module: Promise<WebAssembly.Module> | undefined;

  run(request: PdfRequest, limitMs: number): Promise<PdfInspection> {
    return new Promise((resolve, reject) => {
      this.#jobs.push({ request, limitMs, resolve, reject });
      void this.#work();
    });
  }

  /** Ends the worker at once; jobs that wait are refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#stop.abort();
    await this.#retire();
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let job = this.#jobs.shift(); job; job = this.#jobs.shift()) {
      await this.#perform(job).then(job.resolve, job.reject);
    }
    this.#isBusy = false;
  }

  async #perform({ request, limitMs }: Job): Promise<PdfInspection> {
    this.#refuseWhenClosed();
    this.#stop = new AbortController();
    const worker = this.#worker ?? (await this.#start());
    const reply = await ask(worker, request, limitMs, this.#stop);
    this.#refuseWhenClosed();
    if (!reply.ok || reply.worn) await this.#retire();
    return reply.ok ? reply.output : { ok: false, reason: "too-complex" };
  }

  /** A worker that is ready for its first task. It does not keep the process alive. */
  async #start(): Promise<Worker> {
    this.#module ??= compilePdfium();
    const workerData: PdfWorkerData = { module: await this.#module };
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

async function compilePdfium(): Promise<WebAssembly.Module> {
  const path = fileURLToPath(import.meta.resolve("@embedpdf/pdfium/pdfium.wasm"));
  return WebAssembly.compile(await readFile(path));
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown }).code === "ERR_WORKER_OUT_OF_MEMORY";
}
