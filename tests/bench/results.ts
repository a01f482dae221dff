import type { BenchPlan } from "./plan.ts";

/** The result of one run of a path. */
export interface Burst {
  /** In the unit of its comparison. */
  perSecond: number;
  /** Milliseconds; null if single responses were not timed. */
  p50: number | null;
  p99: number | null;
}

/** A path and its limit, from runs in turn. */
export interface Comparison {
  path: string;
  limit: string;
  /** What is counted per second, such as `requests`. */
  unit: string;
  ours: Burst;
  limits: Burst;
  /** Ours divided by the limit's, for each pair of runs. */
  ratios: number[];
  atLeast: number;
}

/** A value with its own bound. */
export interface Bound {
  what: string;
  unit: string;
  measured: number;
  bound: number;
  /** Whether the value must reach the bound or stay below it. */
  kind: "at least" | "at most";
}

/** Median milliseconds of a call on a small store and on a large one. */
export interface Growth {
  call: string;
  small: TimedCall;
  large: TimedCall;
}

/** The time of one call, or the medians of several. */
export interface TimedCall {
  ms: number;
  /** The size of the response. */
  bytes: number;
}

/** All results of a run. */
export interface BenchResults {
  comparisons: Comparison[];
  bounds: Bound[];
  growths: Growth[];
}

/** The middle value; for an even number of values the upper one of the two. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which this share of the values lies. Throws if there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const value = sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)];
  if (value === undefined) throw new Error("nothing was measured");
  return value;
}

/** Runs a path for this many seconds. */
export type Runner = (seconds: number) => Promise<Burst>;

interface Pair extends Pick<Comparison, "path" | "limit" | "unit" | "atLeast"> {
  ours: Runner;
  limits: Runner;
}

/** Warms both up and lets them take turns; each round starts with the other one. */
export async function compare(
  plan: Pick<BenchPlan, "rounds" | "seconds" | "warmUpSeconds">,
  { ours, limits, ...named }: Pair,
): Promise<Comparison> {
  await ours(plan.warmUpSeconds);
  await limits(plan.warmUpSeconds);
  const pairs: { ours: Burst; limits: Burst }[] = [];
  for (let round = 0; round < plan.rounds; round++) {
    if (round % 2 === 0) pairs.push({ ours: await ours(plan.seconds), limits: await limits(plan.seconds) });
    else pairs.push(await reversed(ours, limits, plan.seconds));
  }
  return {
    ...named,
    ours: middle(pairs.map((pair) => pair.ours)),
    limits: middle(pairs.map((pair) => pair.limits)),
    ratios: pairs.map((pair) => pair.ours.perSecond / pair.limits.perSecond),
  };
}

async function reversed(ours: Runner, limits: Runner, seconds: number) {
  const limit = await limits(seconds);
  return { ours: await ours(seconds), limits: limit };
}

/** The median of each value. */
function middle(bursts: Burst[]): Burst {
  const of = (values: (number | null)[]) => {
    const timed = values.filter((value) => value !== null);
    return timed.length > 0 ? median(timed) : null;
  };
  return {
    perSecond: median(bursts.map(({ perSecond }) => perSecond)),
    p50: of(bursts.map(({ p50 }) => p50)),
    p99: of(bursts.map(({ p99 }) => p99)),
  };
}
