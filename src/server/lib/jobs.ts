import { AsyncResource } from "node:async_hooks";
import type { Logger } from "pino";

export interface Job {
  /** Has it done now, instead of at the next try. */
  wake(): void;
  /** Waits for what is under way; the rest is left for the next start. */
  stop(): Promise<void>;
}

interface ChoreTask {
  /** What is said of a failure. */
  failure: string;
  /** How often it is tried without anyone waking it. */
  everyMs: number;
  /** Does all that there is to do. */
  run(): Promise<void>;
}

/** Does a task in the background: at the start, when woken and every so often, and never twice at once. */
export function startJob({ log }: { log: Logger }, { failure, everyMs, run }: ChoreTask): Job {
  let current: Promise<void> | null = null;
  let isWanted = false;

  async function work(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      await run().catch((error: unknown) => log.error({ err: error }, failure));
    }
    current = null;
  }

  // A chore is nobody's request: it must not run on in the transaction of whoever woke it.
  const wake = AsyncResource.bind(() => {
    isWanted = true;
    current ??= work();
  });
  const retry = setInterval(wake, everyMs);
  wake();

  return {
    wake,
    async stop() {
      clearInterval(retry);
      await current;
    },
  };
}
