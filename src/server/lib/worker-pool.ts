import { once } from "node:events";
import { basename } from "node:path";
import { parentPort, type ResourceLimits, Worker } from "node:worker_threads";
import { AppError } from "../errors.ts";
import { type Bounds, FairLimit, type QueuedJob, throwIfUnwanted } from "./fair-limit.ts";
import { workerFailures } from "./metrics.ts";

/** What a pool starts its workers with, and whose jobs they do. */
export interface WorkerPlan extends Partial<Bounds> {
  /** The worker's module; it answers by `answerRequests`. */
  module: URL;
  /** What it finds as its `workerData`. */
  data?: () => Promise<unknown>;
  resourceLimits: ResourceLimits;
  /** After so long without a job a worker is given up, and the memory that it holds; otherwise it is kept. */
  restMs?: number | undefined;
}

export interface JobOptions extends QueuedJob {
  /** How long a worker may take for it. */
  limitMs: number;
}

/** A reply, or the fault of the machine that ended the thread. */
type Answer<Output> = WorkerReply<Output> | { ok: false; fault: unknown };

/** So long a job waits for a worker that is at work before another is started: most jobs are done by then. */
const PATIENCE_MS = 50;

/**
 * Has jobs done in worker threads, each of which does one after another and is replaced once a job has broken or worn it.
 * One is started for a job for which no other is free, or soon will be.
 */
export class WorkerPool<Request, Output> {
  readonly #plan: WorkerPlan;
  readonly #limit: FairLimit;
  readonly #closing = new AbortController();
  /** Workers without a job; the one that worked last is the next one to work, so that the others end. */
  readonly #free: Thread<Request, Output>[] = [];
  readonly #atWork = new Set<Thread<Request, Output>>();
  /** Whoever waits for one that is at work. */
  readonly #awaited = new Set<(thread: Thread<Request, Output>) => void>();
  #preparing: Promise<Thread<Request, Output>> | undefined;

  constructor(plan: WorkerPlan) {
    this.#plan = plan;
    this.#limit = new FairLimit({ workers: 1, ...plan });
  }

  /**
   * What the worker answers; null when that takes more than `limitMs` or too much memory, or breaks the worker. Throws
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
    // Where that fails, the job tries again and tells why.
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

  /** Waits until there is nothing to do. */
  untilIdle(): Promise<void> {
    return this.#limit.untilIdle();
  }

  /** Ends the workers at once; jobs that wait are refused. */
  async close(): Promise<void> {
    this.#closing.abort(new AppError("UNAVAILABLE", "The store is closing. Please try again in a minute"));
    await this.untilIdle();
    await this.#preparing?.catch(() => {});
    await Promise.all(this.#free.splice(0).map((thread) => thread.end()));
  }

  async #perform(request: Request, options: JobOptions, paysFromNow: () => void): Promise<Output | null> {
    this.#throwIfUnwanted(options);
    const thread = this.#takeFree() ?? (await this.#freeSoon()) ?? (await this.#startFor());
    this.#atWork.add(thread);
    // Nobody's job pays for the start of a worker.
    paysFromNow();
    const isUnwanted = this.#closing.signal.aborted || options.signal?.aborted;
    const answer = isUnwanted ? null : await this.#ask(thread, request, options);
    this.#atWork.delete(thread);
    if (!answer || (answer.ok && !answer.worn)) this.#release(thread);
    else await thread.end();
    this.#throwIfUnwanted(options);
    if (answer?.ok) return answer.output;
    if (answer && "fault" in answer) throw answer.fault;
    workerFailures.publish(basename(this.#plan.module.pathname));
    return null;
  }

  /** Not ok when the answer takes too much time, or when nobody wants it any more. */
  #ask(
    thread: Thread<Request, Output>,
    request: Request,
    { limitMs, signal }: JobOptions,
  ): Promise<Answer<Output>> {
    const { promise, resolve } = Promise.withResolvers<Answer<Output>>();
    const giveUp = () => resolve({ ok: false });
    const impatience = setTimeout(giveUp, limitMs);
    const signals = [this.#closing.signal, ...(signal ? [signal] : [])];
    for (const each of signals) each.addEventListener("abort", giveUp);
    thread.ask(request).then(resolve);
    return promise.finally(() => {
      clearTimeout(impatience);
      for (const each of signals) each.removeEventListener("abort", giveUp);
    });
  }

  #throwIfUnwanted({ signal }: JobOptions): void {
    this.#closing.signal.throwIfAborted();
    throwIfUnwanted(signal);
  }

  #takeFree(): Thread<Request, Output> | undefined {
    for (;;) {
      const thread = this.#free.pop();
      // A timer lives only as long as its thread stands in the list: it takes the thread out by its place.
      clearTimeout(thread?.rest);
      if (!thread?.isBroken) return thread;
    }
  }

  async #freeSoon(): Promise<Thread<Request, Output> | undefined> {
    if (this.#atWork.size === 0) return undefined;
    const { promise, resolve } = Promise.withResolvers<Thread<Request, Output> | undefined>();
    const timer = setTimeout(resolve, PATIENCE_MS, undefined);
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
    const retire = () => {
      this.#free.splice(this.#free.indexOf(thread), 1);
      thread.end();
    };
    if (this.#plan.restMs) thread.rest = setTimeout(retire, this.#plan.restMs).unref();
  }
}

/** A worker thread, which answers one request after another. It does not keep the process alive. */
class Thread<Request, Output> {
  /** Until it is given up. */
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

  /** Resolves once the thread listens. Throws what kept it from starting, and what `signal` says once it aborts. */
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

/** What a worker answers to a request. */
type WorkerReply<Output> =
  | {
      ok: true;
      output: Output;
      /** This worker should answer no other request. */
      worn: boolean;
    }
  /** The request broke the worker; it is of no more use. */
  | { ok: false };

interface Answering<Request, Output> {
  perform(request: Request): Output | Promise<Output>;
  isWorn(): boolean;
}

/** Has this thread answer the requests of its pool from now on, one after another. */
export function answerRequests<Request, Output>({ perform, isWorn }: Answering<Request, Output>): void {
  async function reply(request: Request): Promise<WorkerReply<Output>> {
    try {
      return { ok: true, output: await perform(request), worn: isWorn() };
    } catch (error) {
      if (isSystemError(error)) throw error;
      return { ok: false };
    }
  }

  let last = Promise.resolve();
  parentPort?.on("message", (request: Request) => {
    last = last.then(async () => parentPort?.postMessage(await reply(request)));
  });
  parentPort?.postMessage("ready");
}

/** A file that cannot be read is the machine's fault, not the request's. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
