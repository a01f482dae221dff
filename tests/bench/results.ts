import { arch, cpus, platform, release, totalmem } from "node:os";
import Sqlite from "better-sqlite3";
import type { BenchPlan } from "./plan.ts";

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

/** The middle value; of an even number of values the upper of the two. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** The value below which this share of the values lies. Throws where there are none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  const value = sorted[Math.min(Math.floor(share * sorted.length), sorted.length - 1)];
  if (value === undefined) throw new Error("nothing was measured");
  return value;
}

/** Runs a path for so many seconds. */
export type Runner = (seconds: number) => Promise<Burst>;

interface Pair extends Pick<Comparison, "path" | "limit" | "unit" | "atLeast"> {
  ours: Runner;
  limits: Runner;
}

/** Warms both up, then lets them take turns; who comes first changes with every round. */
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

/** The medians of each figure. */
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

const GB = 1024 ** 3;

/** Each line a fact about what the bench ran on. */
export function describeMachine(): string[] {
  const [first] = cpus();
  const sqlite = new Sqlite(":memory:");
  const version = sqlite.prepare("select sqlite_version()").pluck().get();
  sqlite.close();
  return [
    `${cpus().length} cores, ${first?.model.trim() ?? "of an unknown kind"}`,
    `${(totalmem() / GB).toFixed(0)} GB of memory`,
    `${platform()} ${release()} on ${arch()}`,
    `Node ${process.versions.node}, SQLite ${version}`,
  ];
}
