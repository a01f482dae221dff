import { basename } from "node:path";
import { type Answer, AnsweringThread, type ThreadPlan } from "./answering-thread.ts";
import { AppError } from "./errors.ts";
import { workerFailures } from "./metrics.ts";

/** What a pool starts its workers with. */
export interface WorkerPlan extends ThreadPlan {
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
  #thread: AnsweringThread<Request, Output> | undefined;
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
      if (this.#working) this.#askAhead();
      else this.#working = this.#work();
    });
  }

  /** Starts a worker where there is none, so that the next request need not wait for that. */
  prepare(): void {
    if (!this.#usable) this.#working ??= this.#prepare();
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

  async #perform(job: Job<Request, Output>): Promise<Output | null> {
    const unwanted = anyOf(this.#closing.signal, job.signal);
    if (!this.#usable?.hasBeenAsked(job)) unwanted.throwIfAborted();
    const thread = this.#usable ?? (await this.#start());
    const answering = thread.ask(job);
    this.#askAhead();
    const answer = await inTime(answering, job.limitMs, unwanted);
    if (!answer.ok || answer.worn) await this.#retire();
    unwanted.throwIfAborted();
    if (answer.ok) return answer.output;
    if ("fault" in answer) throw answer.fault;
    workerFailures.publish(basename(this.#plan.module.pathname));
    return null;
  }

  /** Has the request that is next lie ready for the worker, so that it goes on without waiting for this thread. */
  #askAhead(): void {
    const [next] = this.#jobs;
    if (next) this.#usable?.ask(next);
  }

  get #usable(): AnsweringThread<Request, Output> | undefined {
    return this.#thread?.isBroken ? undefined : this.#thread;
  }

  async #start(): Promise<AnsweringThread<Request, Output>> {
    this.#thread = await AnsweringThread.start(this.#plan, this.#closing.signal);
    return this.#thread;
  }

  async #retire(): Promise<void> {
    clearTimeout(this.#rest);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.end();
  }
}

/** Not ok when the answer takes too much time, or when nobody wants it any more. */
async function inTime<Output>(
  answering: Promise<Answer<Output>>,
  limitMs: number,
  unwanted: AbortSignal,
): Promise<Answer<Output>> {
  const { promise, resolve } = Promise.withResolvers<Answer<Output>>();
  const giveUp = () => resolve({ ok: false });
  const impatience = setTimeout(giveUp, limitMs);
  if (unwanted.aborted) giveUp();
  unwanted.addEventListener("abort", giveUp);
  answering.then(resolve);
  return promise.finally(() => {
    clearTimeout(impatience);
    unwanted.removeEventListener("abort", giveUp);
  });
}

function anyOf(one: AbortSignal, other: AbortSignal | undefined): AbortSignal {
  return other ? AbortSignal.any([one, other]) : one;
}
