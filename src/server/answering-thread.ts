import { once } from "node:events";
import { type ResourceLimits, Worker } from "node:worker_threads";
import type { WorkerReply } from "./worker-replies.ts";

/** What a worker thread is started with. */
export interface ThreadPlan {
  /** The worker's module; it answers by `answerRequests`. */
  module: URL;
  /** What it finds as its `workerData`. */
  data?: () => Promise<unknown>;
  resourceLimits: ResourceLimits;
}

/** A reply, or the fault of the machine that ended the thread. */
export type Answer<Output> = WorkerReply<Output> | { ok: false; fault: unknown };

/** A request as an object that may be asked about again. */
interface Question<Request> {
  request: Request;
}

/** A worker thread, which answers one request after another. It does not keep the process alive. */
export class AnsweringThread<Request, Output> {
  readonly #worker: Worker;
  readonly #answers = new WeakMap<Question<Request>, Promise<Answer<Output>>>();
  /** Those who wait for an answer, in the order in which they asked. */
  readonly #waiting: ((answer: Answer<Output>) => void)[] = [];
  #isBroken = false;

  private constructor(worker: Worker) {
    this.#worker = worker;
    worker.on("message", (reply: WorkerReply<Output>) => this.#waiting.shift()?.(reply));
    worker.on("error", (fault) => {
      this.#isBroken = true;
      this.#waiting.shift()?.(isOutOfMemory(fault) ? { ok: false } : { ok: false, fault });
    });
  }

  /** Resolves once the thread listens. Throws what kept it from starting, and what `signal` says once it aborts. */
  static async start<Request, Output>(
    { module, data, resourceLimits }: ThreadPlan,
    signal: AbortSignal,
  ): Promise<AnsweringThread<Request, Output>> {
    const workerData = await data?.();
    signal.throwIfAborted();
    const worker = new Worker(module, { workerData, resourceLimits });
    const thread = new AnsweringThread<Request, Output>(worker);
    await once(worker, "message", { signal }).catch(async (error: unknown) => {
      await worker.terminate();
      signal.throwIfAborted();
      throw error;
    });
    worker.unref();
    return thread;
  }

  /** Whether a fault has ended it. */
  get isBroken(): boolean {
    return this.#isBroken;
  }

  hasBeenAsked(question: Question<Request>): boolean {
    return this.#answers.has(question);
  }

  /** Asks the question, unless it has been asked already. There is no answer to those that follow one without a reply. */
  ask(question: Question<Request>): Promise<Answer<Output>> {
    const asked = this.#answers.get(question);
    if (asked) return asked;
    const answer = new Promise<Answer<Output>>((resolve) => this.#waiting.push(resolve));
    this.#answers.set(question, answer);
    this.#worker.postMessage(question.request);
    return answer;
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }
}

function isOutOfMemory(error: unknown): boolean {
  return (error as { code?: unknown }).code === "ERR_WORKER_OUT_OF_MEMORY";
}
