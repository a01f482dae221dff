import { existsSync } from "node:fs";
import { join } from "node:path";
import type { BenchPlan } from "../plan.ts";
import type { Growth } from "../results.ts";
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
  const times = { small: [] as number[], large: [] as number[] };
  for (let call = -warmUpCalls; call < calls; call++) {
    const [smallMs, largeMs] = [await timeOf(small), await timeOf(large)];
    if (call < 0) continue;
    times.small.push(smallMs);
    times.large.push(largeMs);
  }
  return { call: small.name, small: median(times.small), large: median(times.large) };
}

async function timeOf({ name, send }: Call): Promise<number> {
  const askedAt = performance.now();
  const status = await send();
  if (status !== 200) throw new Error(`${name} was answered with ${status}`);
  return performance.now() - askedAt;
}
