import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { measureGrowth } from "./paths/growth.ts";
import { measureLogins } from "./paths/logins.ts";
import { measureMemory } from "./paths/memory.ts";
import { measureOrders } from "./paths/orders.ts";
import { measureOrdersOnPostgres } from "./paths/orders-on-postgres.ts";
import { measurePageCounting } from "./paths/page-counting.ts";
import { measureReads } from "./paths/reads.ts";
import { measureStarts } from "./paths/starting.ts";
import { measureUploads } from "./paths/uploads.ts";
import type { BenchPlan } from "./plan.ts";
import type { BenchResults } from "./results.ts";
import { fillFolder, openWorld } from "./world.ts";

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

const IDLE = { what: "resident memory, idle", bound: 160 };
const AFTER_ALL = { what: "resident memory after all of the above", bound: 320 };

/**
 * Measures these parts on stores of its own; growth also uses one in `largeFolder`, which stays for the next run.
 * Throws if anything fails, without results.
 */
export async function runBench(
  plan: BenchPlan,
  parts: readonly Part[],
  largeFolder: string | undefined,
): Promise<BenchResults> {
  const folder = await mkdtemp(join(tmpdir(), "print-store-bench-"));
  const results: BenchResults = { comparisons: [], bounds: [], growths: [] };
  try {
    await measure(plan, {
      parts: new Set(parts),
      folder,
      largeFolder: largeFolder ?? join(folder, "large"),
      results,
    });
    return results;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function measure(
  plan: BenchPlan,
  {
    parts,
    folder,
    largeFolder,
    results,
  }: { parts: Set<Part>; folder: string; largeFolder: string; results: BenchResults },
): Promise<void> {
  const { comparisons, bounds, growths } = results;
  const store = join(folder, "store");
  await fillFolder(store, plan);
  if (parts.has("starts")) bounds.push(...(await measureStarts(plan, store)));
  const world = await openWorld(store);
  try {
    const idle = await measureMemory(plan, world, IDLE);
    if (parts.has("reads")) comparisons.push(...(await measureReads(plan, world)));
    if (parts.has("logins")) {
      const { comparison, reading } = await measureLogins(plan, world);
      comparisons.push(comparison);
      bounds.push(reading);
    }
    if (parts.has("orders")) {
      comparisons.push(await measureOrders(plan, world));
    }
    if (parts.has("uploads")) comparisons.push(await measureUploads(plan, world));
    if (parts.has("page-counting")) comparisons.push(await measurePageCounting(plan, folder));
    if (parts.has("orders-on-postgres")) comparisons.push(await measureOrdersOnPostgres(plan, folder));
    const afterAll = await measureMemory(plan, world, AFTER_ALL);
    bounds.push(...[idle, afterAll].filter((bound) => bound !== null));
    if (parts.has("growth")) growths.push(...(await measureGrowth(plan, folder, largeFolder)));
  } finally {
    await world.server.stop();
  }
}
