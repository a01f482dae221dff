import type { BenchPlan } from "./plan.ts";
import type { Burst, Comparison } from "./results.ts";
import { median } from "./statistics.ts";

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
