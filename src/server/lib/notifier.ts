import { setTimeout as sleep } from "node:timers/promises";

/** Wakes whoever in this process waits for something to be there. */
export interface Bell {
  /** How often it has rung. Noted before looking, so that a ring while one looks is not slept through. */
  readonly rings: number;
  ring(): void;
  /** Until it has rung more often than `heard`, or `ms` have passed, or `signal` aborts. */
  wait(heard: number, ms: number, signal: AbortSignal): Promise<void>;
}

export function createBell(): Bell {
  const sleepers = new Set<AbortController>();
  let rings = 0;
  return {
    get rings() {
      return rings;
    },
    ring() {
      rings++;
      for (const sleeper of sleepers) sleeper.abort();
    },
    async wait(heard, ms, signal) {
      if (rings > heard) return;
      const sleeper = new AbortController();
      sleepers.add(sleeper);
      const woken = AbortSignal.any([signal, sleeper.signal]);
      await sleep(ms, undefined, { signal: woken, ref: false }).catch(() => {});
      sleepers.delete(sleeper);
    },
  };
}
