/** What one run of a path came to. */
export interface Burst {
  /** In the unit of its comparison. */
  perSecond: number;
  /** Milliseconds; null where single answers were not timed. */
  p50: number | null;
  p99: number | null;
}

/** A path beside its limit, from runs that took turns. */
export interface Comparison {
  path: string;
  limit: string;
  /** What is counted in a second, such as `requests`. */
  unit: string;
  ours: Burst;
  limits: Burst;
  /** Ours through the limit's, of each pair of runs. */
  ratios: number[];
  atLeast: number;
}

/** A figure with a bound of its own. */
export interface Bound {
  what: string;
  unit: string;
  measured: number;
  bound: number;
  /** Whether the figure must reach the bound or stay below it. */
  kind: "at least" | "at most";
}

/** Median milliseconds of one call on a small store and on a large one. */
export interface Growth {
  call: string;
  small: TimedCall;
  large: TimedCall;
}

/** Of one call, or the medians of several. */
export interface TimedCall {
  ms: number;
  /** How long the answer is. */
  bytes: number;
}

/** All that a bench found out. */
export interface BenchResults {
  comparisons: Comparison[];
  bounds: Bound[];
  growths: Growth[];
}
