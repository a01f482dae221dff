/** How long and how large a run of the bench is. */
export interface BenchPlan {
  /** Each path and its limit take turns so many times; the medians are quoted. */
  rounds: number;
  /** How long one of these lasts, and the run before them that does not count. */
  seconds: number;
  warmUpSeconds: number;
  /** The store that the paths are measured on. */
  shops: number;
  orders: number;
  /** The large store that is held against it. */
  large: { shops: number; orders: number };
  /** How often each call is timed on either store, and made before that. */
  calls: number;
  warmUpCalls: number;
  starts: number;
  /** How long the server is left alone before its memory is read. */
  restSeconds: number;
}

export const FULL: BenchPlan = {
  rounds: 5,
  seconds: 3,
  warmUpSeconds: 2,
  shops: 50,
  orders: 1000,
  large: { shops: 10_000, orders: 1_000_000 },
  calls: 60,
  warmUpCalls: 30,
  starts: 5,
  restSeconds: 20,
};

/** Shows that everything runs; its figures say little. */
export const QUICK: BenchPlan = {
  rounds: 1,
  seconds: 0.2,
  warmUpSeconds: 0.1,
  shops: 50,
  orders: 200,
  large: { shops: 60, orders: 400 },
  calls: 1,
  warmUpCalls: 1,
  starts: 1,
  restSeconds: 0.1,
};

/** Requests under way at once in all paths of which nothing else is said. */
export const CONNECTIONS = 16;
/** How many files are uploaded, and asked to be counted, at once. */
export const FILES_AT_ONCE = 4;
