import { setTimeout as pause } from "node:timers/promises";

/** Longer than the work for an account takes, with the writes and the sync to the disk that nobody's does without. */
const LEAST_MS = 150;

/**
 * Does work that is more for an account that exists than for one that does not, and settles no sooner than every
 * such work has: how long an answer takes then does not tell who has an account.
 */
export async function inEvenTime<T>(work: () => Promise<T>): Promise<T> {
  const [outcome] = await Promise.allSettled([work(), pause(LEAST_MS)]);
  if (outcome.status === "rejected") throw outcome.reason;
  return outcome.value;
}
