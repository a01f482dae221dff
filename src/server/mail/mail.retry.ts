const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** The pauses after the first failures; the last one is repeated. */
const PAUSES_MS = [5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE, HOUR];
const HOURLY_TRIES = 72;
const MAX_ATTEMPTS = PAUSES_MS.length + HOURLY_TRIES;

/**
 * How long to wait after that many failed attempts, in ms; null: no more, about three days have passed. Up to a
 * fifth more or less by chance, so that mails that failed together do not come back together.
 */
export function retryPause(attempts: number, chance = Math.random()): number | null {
  if (attempts >= MAX_ATTEMPTS) return null;
  const pause = PAUSES_MS[Math.min(attempts, PAUSES_MS.length) - 1] ?? HOUR;
  return Math.round(pause * (0.8 + 0.4 * chance));
}
