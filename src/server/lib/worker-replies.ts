import { parentPort } from "node:worker_threads";

/** What a worker answers to a request. */
export type WorkerReply<Output> =
  | {
      ok: true;
      output: Output;
      /** The worker should get no other job. */
      exhausted: boolean;
    }
  /** The job broke the worker, which must be ended. */
  | { ok: false };

interface Answering<Request, Output> {
  perform(request: Request): Output | Promise<Output>;
  isExhausted(): boolean;
}

/**
 * Makes this thread answer the requests of its pool, one at a time. In a file of its own, because loading the imports of the
 * pool would take a thread longer than all else that it needs.
 */
export function answerRequests<Request, Output>({ perform, isExhausted }: Answering<Request, Output>): void {
  async function reply(request: Request): Promise<WorkerReply<Output>> {
    try {
      return { ok: true, output: await perform(request), exhausted: isExhausted() };
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

/** Such as a file that cannot be read: a fault of the machine, not of the request. */
function isSystemError(error: unknown): boolean {
  return error instanceof Error && "syscall" in error;
}
