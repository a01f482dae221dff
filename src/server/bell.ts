import { setTimeout as sleep } from "node:timers/promises";

/** Wakes everyone in this process who waits for something to be there. */
export interface Bell {
  /** How often it has rung. Noted before looking, so that a ring while one looks is not slept through. */
  readonly rings: number;
  /** Whether somebody is waiting. */
  readonly isAwaited: boolean;
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
    get isAwaited() {
      return sleepers.size > 0;
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
