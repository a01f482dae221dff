import { setTimeout as sleep } from "node:timers/promises";

/** Wakes callers in this process that wait for something new. */
export interface Notifier {
  /**
   * Number of notifications so far. Read it before looking for what is new and pass it to `wait`, so that no notification in
   * between is missed.
   */
  readonly count: number;
  notify(): void;
  /** Resolves once `count` exceeds `heard`, after `ms`, or when `signal` aborts. */
  wait(heard: number, ms: number, signal: AbortSignal): Promise<void>;
}

export function createNotifier(): Notifier {
  let next = new AbortController();
  let count = 0;
  return {
    get count() {
      return count;
    },
    notify() {
      count++;
      next.abort();
      next = new AbortController();
    },
    async wait(heard, ms, signal) {
      if (count > heard) return;
      const woken = AbortSignal.any([signal, next.signal]);
      await sleep(ms, undefined, { signal: woken, ref: false }).catch(() => {});
    },
  };
}
