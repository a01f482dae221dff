/** The duration and size of a run. */
export interface BenchPlan {
  /** How often each path and its limit take turns; the medians are reported. */
  rounds: number;
  /** The duration of one turn, and of the warm-up before them. */
  seconds: number;
  warmUpSeconds: number;
  /** The size of the store that the paths are measured on. */
  shops: number;
  orders: number;
  /** The size of the large store for the growth part. */
  large: { shops: number; orders: number };
  /** How often each call is timed on each store, and made before that. */
  calls: number;
  warmUpCalls: number;
  starts: number;
  /** How long the server rests before its memory is read. */
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

/** Shows that everything runs; its numbers mean little. */
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

/**
 * The plan for slow calls. Those in flight at the end of a burst are not counted: of 16 logins of 200 ms each a sixth
 * of a burst of one second.
 */
export function withLongBursts(plan: BenchPlan): BenchPlan {
  return { ...plan, seconds: 3 * plan.seconds };
}

/** The parts that can be measured separately, in order. */
export const PARTS = [
  "starts",
  "reads",
  "logins",
  "orders",
  "uploads",
  "page-counting",
  "orders-on-postgres",
  "growth",
] as const;
export type Part = (typeof PARTS)[number];

/** Concurrent requests on all paths that set no other number. */
export const CONNECTIONS = 16;
/** Concurrent uploads and page counts. */
export const FILES_AT_ONCE = 4;
