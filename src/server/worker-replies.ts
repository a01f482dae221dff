import { parentPort } from "node:worker_threads";

/** What a worker answers to a request. */
export type WorkerReply<Output> =
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
