import { AsyncResource } from "node:async_hooks";
import type { Logger } from "pino";
import { AppError } from "../errors.ts";

export interface Job {
  /** Runs it now instead of at the next interval. */
  runNow(): void;
  /** Waits for the current run; what is left is done after the next start. */
  stop(): Promise<void>;
}

interface JobTask {
  /** What is logged when a run fails. */
  failure: string;
  /** Interval between runs that nobody asks for. */
  everyMs: number;
  /** Does all the work that is due. */
  run(): Promise<void>;
}

/** Runs a task in the background: at the start, on demand and at an interval, and never twice at the same time. */
export function startJob({ log }: { log: Logger }, { failure, everyMs, run }: JobTask): Job {
  let current: Promise<void> | null = null;
  let isWanted = false;
  let isStopped = false;

  async function work(): Promise<void> {
    while (isWanted) {
      isWanted = false;
      await run().catch((error: unknown) => log.error({ err: error }, failure));
    }
    current = null;
  }

  // A job is nobody's request: it must not run on in the transaction of whoever asks for it.
  const runNow = AsyncResource.bind(() => {
    if (isStopped) return;
    isWanted = true;
    current ??= work();
  });
  const retry = setInterval(runNow, everyMs);
  runNow();

  return {
    runNow,
    async stop() {
      isStopped = true;
      isWanted = false;
      clearInterval(retry);
      await current;
    },
  };
}

/**
 * Removes stored files, or other data whose time is over, one after the other. What cannot be removed is tried again the next
 * time, and keeps others only where the file store does not answer. Throws the first error.
 */
export async function removeEach(keys: string[], remove: (key: string) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const key of keys) {
    try {
      await remove(key);
    } catch (error) {
      failures.push(error);
      if (error instanceof AppError) break;
    }
  }
  if (failures.length > 0) throw failures[0];
}
