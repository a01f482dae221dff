import { useSyncExternalStore } from "react";

const TICK_MS = 20_000;
/** A response tells its time in whole seconds and takes a while to arrive: a smaller difference says nothing. */
const LEAST_DIFFERENCE_MS = 5000;

/** How far the server's clock is ahead of this computer's in ms. An old PC may show any time. */
let ahead = 0;
let now = Date.now();
const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** The present time by the server's clock, in ms. */
export function serverNow(): number {
  return Date.now() + ahead;
}

/** `fetch`, which learns the server's time from each response. */
export const fetchWithTime: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const difference = Date.parse(response.headers.get("Date") ?? "") - Date.now();
  if (Math.abs(difference - ahead) >= LEAST_DIFFERENCE_MS) {
    ahead = difference;
    tick();
  }
  return response;
};

/** The present time by the server's clock in ms, updated every 20 seconds: enough for ages of orders. */
export function useNow(): number {
  return useSyncExternalStore(subscribe, () => now);
}

function subscribe(listener: () => void): () => void {
  // On screens without times it stands still.
  if (listeners.size === 0) now = serverNow();
  listeners.add(listener);
  timer ??= setInterval(tick, TICK_MS);
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
  };
}

function tick(): void {
  now = serverNow();
  for (const listener of listeners) listener();
}
