import { setTimeout as sleep } from "node:timers/promises";

/** Wakes whoever in this process waits for something to be there. */
export interface Notifier {
  /** How often it was notified. Noted before looking, so that nothing that happens while one looks is slept through. */
  readonly count: number;
  notify(): void;
  /** Until it was notified more often than `heard`, or `ms` have passed, or `signal` aborts. */
  wait(heard: number, ms: number, signal: AbortSignal): Promise<void>;
}

export function createNotifier(): Notifier {
  const sleepers = new Set<AbortController>();
  let count = 0;
  return {
    get count() {
      return count;
    },
    notify() {
      count++;
      for (const sleeper of sleepers) sleeper.abort();
    },
    async wait(heard, ms, signal) {
      if (count > heard) return;
      const sleeper = new AbortController();
      sleepers.add(sleeper);
      const woken = AbortSignal.any([signal, sleeper.signal]);
      await sleep(ms, undefined, { signal: woken, ref: false }).catch(() => {});
      sleepers.delete(sleeper);
    },
  };
}
