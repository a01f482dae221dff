import { once } from "node:events";
import { basename } from "node:path";
import { type ResourceLimits, Worker } from "node:worker_threads";
import { AppError } from "./errors.ts";
import { workerFailures } from "./metrics.ts";
import type { WorkerReply } from "./worker-replies.ts";

/** What a pool starts its workers with. */
export interface WorkerPlan {
  /** The worker's module; it answers by `answerRequests`. */
  module: URL;
  /** What it finds as its `workerData`. */
  data?: () => Promise<unknown>;
  resourceLimits: ResourceLimits;
  /** After so long without a request the worker is given up, and the memory that it holds; otherwise it is kept. */
  restMs?: number | undefined;
}

interface Job<Request, Output> {
  request: Request;
  limitMs: number;
  signal: AbortSignal | undefined;
  resolve(output: Output | null): void;
  reject(error: unknown): void;
}

/** Has requests answered one after another in a worker thread, which is replaced once one has broken or worn it. */
export class WorkerPool<Request, Output> {
  readonly #plan: WorkerPlan;
  readonly #jobs: Job<Request, Output>[] = [];
  readonly #closing = new AbortController();
  #working: Promise<void> | undefined;
  #worker: Worker | undefined;
  #rest: NodeJS.Timeout | undefined;

  constructor(plan: WorkerPlan) {
    this.#plan = plan;
  }

  /**
   * What the worker answers; null when that takes more than `limitMs` or too much memory, or breaks the worker. Throws
   * what `signal` says once it aborts, and a fault of the machine: a full disk, say.
   */
  run(
    request: Request,
    { limitMs, signal }: { limitMs: number; signal?: AbortSignal | undefined },
  ): Promise<Output | null> {
    return new Promise((resolve, reject) => {
      this.#jobs.push({ request, limitMs, signal, resolve, reject });
      this.#working ??= this.#work();
    });
  }

  /** Starts a worker where there is none, so that the next request need not wait for that. */
  prepare(): void {
    if (!this.#worker) this.#working ??= this.#prepare();
  }

  /** Waits until there is nothing to do. */
  async untilIdle(): Promise<void> {
    while (this.#working) await this.#working;
  }

  /** Ends the worker at once; jobs that wait are refused. */
  async close(): Promise<void> {
    this.#closing.abort(new AppError("UNAVAILABLE", "The store is closing. Please try again in a minute"));
    await this.#retire();
  }

  /** Where that fails, the next request tries again and tells why. */
  async #prepare(): Promise<void> {
    await this.#start().catch(() => {});
    await this.#work();
  }

  async #work(): Promise<void> {
    clearTimeout(this.#rest);
    for (let job = this.#jobs.shift(); job; job = this.#jobs.shift()) {
      await this.#perform(job).then(job.resolve, job.reject);
    }
    this.#working = undefined;
    const { restMs } = this.#plan;
    if (restMs) this.#rest = setTimeout(() => this.#retire(), restMs).unref();
  }

  async #perform({ request, limitMs, signal }: Job<Request, Output>): Promise<Output | null> {
    const unwanted = anyOf(this.#closing.signal, signal);
    unwanted.throwIfAborted();
    const worker = this.#worker ?? (await this.#start());
    const reply = await ask<Request, Output>(worker, request, limitMs, unwanted);
    if (!reply.ok || reply.worn) await this.#retire();
    unwanted.throwIfAborted();
    if (!reply.ok) workerFailures.publish(basename(this.#plan.module.pathname));
    return reply.ok ? reply.output : null;
  }

  /** A worker that is ready for its first request. From then on it does not keep the process alive. */
  async #start(): Promise<Worker> {
    const { module, data, resourceLimits } = this.#plan;
    const workerData = await data?.();
    const closing = this.#closing.signal;
    closing.throwIfAborted();
    const worker = new Worker(module, { workerData, resourceLimits });
    this.#worker = worker;
    worker.on("error", () => {
      if (this.#worker === worker) this.#worker = undefined;
    });
    await once(worker, "message", { signal: closing }).catch((error: unknown) => {
      closing.throwIfAborted();
      throw error;
    });
    worker.unref();
    return worker;
  }

  async #retire(): Promise<void> {
    clearTimeout(this.#rest);
    const worker = this.#worker;
    this.#worker = undefined;
    await worker?.terminate();
  }
}

/** Not ok when the answer takes too much time or memory, or when nobody wants it any more. */
function ask<Request, Output>(
  worker: Worker,
  request: Request,
  limitMs: number,
  unwanted: AbortSignal,
): Promise<WorkerReply<Output>> {
  const { promise, resolve, reject } = Promise.withResolvers<WorkerReply<Output>>();
  const giveUp = () => resolve({ ok: false });
  const fail = (error: unknown) => (isOutOfMemory(error) ? giveUp() : reject(error));
  const impatience = setTimeout(giveUp, limitMs);
  if (unwanted.aborted) giveUp();
  unwanted.addEventListener("abort", giveUp);
  worker.on("message", resolve).on("error", fail);
  worker.postMessage(request);
  return promise.finally(() => {
    clearTimeout(impatience);
    unwanted.removeEventListener("abort", giveUp);
    worker.off("message", resolve).off("error", fail);
  });
}

function anyOf(one: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other ? AbortSignal.any([one, other]) : one;
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown }).code === "ERR_WORKER_OUT_OF_MEMORY";
}
