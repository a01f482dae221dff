import { AsyncResource } from "node:async_hooks";
import type { Logger } from "pino";

export interface Job {
  /** Has it done now, instead of at the next try. */
  runNow(): void;
  /** Waits for what is under way; the rest is left for the next start. */
  stop(): Promise<void>;
}

interface JobTask {
  /** What is said of a failure. */
  failure: string;
  /** How often it is tried without anyone asking for it. */
  everyMs: number;
  /** Does all that there is to do. */
  run(): Promise<void>;
}

/** Does a task in the background: at the start, when asked for and every so often, and never twice at once. */
export function startJob({ log }: { log: Logger }, { failure, everyMs, run }: JobTask): Job {
  let current: Promise<void> | null = null;
  let isWanted = false;

  async function work(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      await run().catch((error: unknown) => log.error({ err: error }, failure));
    }
    current = null;
  }

  // A job is nobody's request: it must not run on in the transaction of whoever asks for it.
  const runNow = AsyncResource.bind(() => {
    isWanted = true;
    current ??= work();
  });
  const retry = setInterval(runNow, everyMs);
  runNow();

  return {
    runNow,
    async stop() {
      clearInterval(retry);
      await current;
    },
  };
}
