import { once } from "node:events";
import { basename } from "node:path";
import { type ResourceLimits, Worker } from "node:worker_threads";
import { AppError } from "../errors.ts";
import { type Bounds, FairLimit, type QueuedJob, throwIfAborted } from "./fair-limit.ts";
import { workerFailures } from "./metrics.ts";
import type { WorkerReply } from "./worker-replies.ts";

/** How a pool starts its workers, and what each account may use of them. */
export interface WorkerPlan extends Partial<Bounds> {
  /** The worker's module, which calls `answerRequests`. */
  module: URL;
  /** Its `workerData`. */
  data?: () => Promise<unknown>;
  resourceLimits: ResourceLimits;
  /** How long a worker may be idle before it is ended, in ms; without it, idle workers stay. */
  restMs?: number | undefined;
}

export interface JobOptions extends QueuedJob {
  /** How long the job may take, in ms. */
  limitMs: number;
}

/** A reply, or the system error that ended the thread. */
type Answer<Output> = WorkerReply<Output> | { ok: false; fault: unknown };

/** How long jobs find no free worker before another is started. Most jobs are done by then. */
const WAIT_FOR_WORKER_MS = 50;

/**
 * Runs jobs in worker threads. Each runs one job at a time and is replaced once a job has broken or exhausted it; another is
 * started when no worker is free, nor becomes free soon.
 */
export class WorkerPool<Request, Output> {
  readonly #plan: WorkerPlan;
  readonly #limit: FairLimit;
  readonly #closing = new AbortController();
  /** Idle workers, used last in, first out, so that those that are not needed end. */
  readonly #free: Thread<Request, Output>[] = [];
  readonly #atWork = new Set<Thread<Request, Output>>();
  /** Jobs that wait for a busy worker. */
  readonly #awaited = new Set<(thread: Thread<Request, Output>) => void>();
  #preparing: Promise<Thread<Request, Output>> | undefined;
  /** Since when no worker has been free, in ms. */
  #busySince: number | undefined;

  constructor(plan: WorkerPlan) {
    this.#plan = plan;
    this.#limit = new FairLimit({ workers: 1, ...plan });
  }

  /**
   * What the worker answers; null when that takes more than `limitMs` or too much memory, or crashes the worker. Throws
   * RATE_LIMITED where the account has more than its share, BAD_REQUEST once nobody waits for it, and a fault of the
   * machine: a full disk, say.
   */
  run(request: Request, options: JobOptions): Promise<Output | null> {
    return this.#limit.run(options, (paysFromNow) => this.#perform(request, options, paysFromNow));
  }

  /** Throws RATE_LIMITED where the account may have no more jobs. */
  check(account?: string): void {
    this.#limit.check(account);
  }

  /**
   * Starts a worker where there is none, so that the job that is to come need not wait for that. Throws RATE_LIMITED where
   * its account may have no more.
   */
  prepare(account?: string): void {
    this.#limit.check(account);
    if (this.#free.length > 0 || !this.#limit.isIdle || this.#preparing) return;
    const thread = this.#start();
    this.#preparing = thread;
    // If that fails, the job starts a worker itself and reports its error.
    const isStillOurs = () => this.#preparing === thread;
    const forget = () => {
      if (isStillOurs()) this.#preparing = undefined;
    };
    thread
      .then(
        (ready) => isStillOurs() && this.#release(ready),
        () => {},
      )
      .then(forget);
  }

  /** Resolves when no job is running. */
  untilIdle(): Promise<void> {
    return this.#limit.untilIdle();
  }

  /** Ends the workers at once and refuses the waiting jobs. */
  async close(): Promise<void> {
    this.#closing.abort(new AppError("UNAVAILABLE", "The store is restarting. Please try again in a minute"));
    await this.untilIdle();
    await this.#preparing?.catch(() => {});
    await Promise.all(this.#free.splice(0).map((thread) => thread.end()));
  }

  async #perform(request: Request, options: JobOptions, paysFromNow: () => void): Promise<Output | null> {
    this.#throwIfAborted(options);
    const thread = this.#takeFree() ?? (await this.#freeSoon()) ?? (await this.#startFor());
    this.#atWork.add(thread);
    // The start of a worker is charged to no account.
    paysFromNow();
    const isUnwanted = this.#closing.signal.aborted || options.signal?.aborted;
    const answer = isUnwanted ? null : await this.#ask(thread, request, options);
    this.#atWork.delete(thread);
    if (!answer || (answer.ok && !answer.exhausted)) this.#release(thread);
    else await thread.end();
    this.#throwIfAborted(options);
    if (answer?.ok) return answer.output;
    if (answer && "fault" in answer) throw answer.fault;
    workerFailures.publish(basename(this.#plan.module.pathname));
    return null;
  }

  /** Not ok when the job exceeds its time or was aborted. */
  #ask(
    thread: Thread<Request, Output>,
    request: Request,
    { limitMs, signal }: JobOptions,
  ): Promise<Answer<Output>> {
    const { promise, resolve } = Promise.withResolvers<Answer<Output>>();
    const giveUp = () => resolve({ ok: false });
    const timer = setTimeout(giveUp, limitMs);
    const signals = [this.#closing.signal, ...(signal ? [signal] : [])];
    for (const each of signals) each.addEventListener("abort", giveUp);
    thread.ask(request).then(resolve);
    return promise.finally(() => {
      clearTimeout(timer);
      for (const each of signals) each.removeEventListener("abort", giveUp);
    });
  }

  #throwIfAborted({ signal }: JobOptions): void {
    this.#closing.signal.throwIfAborted();
    throwIfAborted(signal);
  }

  #takeFree(): Thread<Request, Output> | undefined {
    for (;;) {
      const thread = this.#free.pop();
      // The timer finds its thread by its index in the list, so it must not outlive its place there.
      clearTimeout(thread?.rest);
      if (!thread?.isBroken) return thread;
    }
  }

  async #freeSoon(): Promise<Thread<Request, Output> | undefined> {
    if (this.#atWork.size === 0) return undefined;
    this.#busySince ??= performance.now();
    const leftMs = Math.max(0, this.#busySince + WAIT_FOR_WORKER_MS - performance.now());
    const { promise, resolve } = Promise.withResolvers<Thread<Request, Output> | undefined>();
    const timer = setTimeout(resolve, leftMs, undefined);
    this.#awaited.add(resolve);
    return promise.finally(() => {
      clearTimeout(timer);
      this.#awaited.delete(resolve);
    });
  }

  async #startFor(): Promise<Thread<Request, Output>> {
    const prepared = this.#preparing;
    this.#preparing = undefined;
    return (await prepared?.catch(() => undefined)) ?? this.#start();
  }

  #start(): Promise<Thread<Request, Output>> {
    return Thread.start(this.#plan, this.#closing.signal);
  }

  #release(thread: Thread<Request, Output>): void {
    const [next] = this.#awaited;
    if (next && !thread.isBroken) {
      this.#awaited.delete(next);
      this.#atWork.add(thread);
      next(thread);
      return;
    }
    this.#free.push(thread);
    this.#busySince = undefined;
    const retire = () => {
      this.#free.splice(this.#free.indexOf(thread), 1);
      thread.end();
    };
    if (this.#plan.restMs) thread.rest = setTimeout(retire, this.#plan.restMs).unref();
  }
}

/** A worker thread that runs one job at a time. It does not keep the process alive. */
class Thread<Request, Output> {
  /** Ends it when it has been idle for long. */
  rest: NodeJS.Timeout | undefined;
  /** Whether it has ended. */
  isBroken = false;
  readonly #worker: Worker;
  #answer: ((answer: Answer<Output>) => void) | undefined;

  private constructor(worker: Worker) {
    this.#worker = worker;
    const end = (answer: Answer<Output>) => {
      this.isBroken = true;
      this.#answer?.(answer);
    };
    worker.on("message", (reply: WorkerReply<Output>) => this.#answer?.(reply));
    worker.on("error", (fault) => end(isOutOfMemory(fault) ? { ok: false } : { ok: false, fault }));
    worker.on("exit", () => end({ ok: false }));
  }

  /** Resolves once the thread is ready. Throws its error if it does not start, and the reason of `signal` once that aborts. */
  static async start<Request, Output>(
    { module, data, resourceLimits }: WorkerPlan,
    signal: AbortSignal,
  ): Promise<Thread<Request, Output>> {
    const workerData = await data?.();
    signal.throwIfAborted();
    const worker = new Worker(module, { workerData, resourceLimits });
    const thread = new Thread<Request, Output>(worker);
    await once(worker, "message", { signal }).catch(async (error: unknown) => {
      await worker.terminate();
      signal.throwIfAborted();
      throw error;
    });
    worker.unref();
    return thread;
  }

  ask(request: Request): Promise<Answer<Output>> {
    return new Promise((resolve) => {
      this.#answer = resolve;
      this.#worker.postMessage(request);
    });
  }

  async end(): Promise<void> {
    clearTimeout(this.rest);
    await this.#worker.terminate();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown }).code === "ERR_WORKER_OUT_OF_MEMORY";
}
