import { existsSync } from "node:fs";
import { join } from "node:path";
import type { BenchPlan } from "../plan.ts";
import type { Growth, TimedCall } from "../results.ts";
import { median } from "../statistics.ts";
import { fillFolder, openWorld } from "../world.ts";
import { type Call, callsOf } from "./growth-calls.ts";

/**
 * Times the same calls on a small store of its own and on a large one, in turn.
 * @param largeFolder filled where it is not there yet
 */
export async function measureGrowth(plan: BenchPlan, folder: string, largeFolder: string): Promise<Growth[]> {
  const smallFolder = join(folder, "small");
  await fillFolder(smallFolder, plan);
  if (!existsSync(largeFolder)) await fillFolder(largeFolder, plan.large);
  const [small, large] = [await openWorld(smallFolder), await openWorld(largeFolder)];
  try {
    const [smallCalls, largeCalls] = [await callsOf(small), await callsOf(large)];
    const growths: Growth[] = [];
    for (const [index, call] of smallCalls.entries()) {
      const other = largeCalls[index];
      if (other) growths.push(await timeBoth(plan, call, other));
    }
    return growths;
  } finally {
    await Promise.all([small.server.stop(), large.server.stop()]);
  }
}

async function timeBoth({ calls, warmUpCalls }: BenchPlan, small: Call, large: Call): Promise<Growth> {
  const timed: Record<"small" | "large", TimedCall[]> = { small: [], large: [] };
  for (let call = -warmUpCalls; call < calls; call++) {
    const [one, other] = [await time(small), await time(large)];
    if (call < 0) continue;
    timed.small.push(one);
    timed.large.push(other);
  }
  return { call: small.name, small: medianOf(timed.small), large: medianOf(timed.large) };
}

async function time({ name, prepare, send }: Call): Promise<TimedCall> {
  await prepare?.();
  const askedAt = performance.now();
  const { status, body } = await send();
  const ms = performance.now() - askedAt;
  if (status !== 200) throw new Error(`${name} was answered with ${status}`);
  return { ms, bytes: JSON.stringify(body).length };
}

function medianOf(calls: TimedCall[]): TimedCall {
  return { ms: median(calls.map(({ ms }) => ms)), bytes: median(calls.map(({ bytes }) => bytes)) };
}
