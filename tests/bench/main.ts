import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";
import { readOptions } from "../../scripts/arguments.ts";
import { residentMegabytes } from "../setup/spawned-server.ts";
import { measureGrowth } from "./paths/growth.ts";
import { measureLogins } from "./paths/logins.ts";
import { measureOrders, measureOrdersOnPostgres } from "./paths/orders.ts";
import { measurePageCounting } from "./paths/page-counting.ts";
import { measureReads } from "./paths/reads.ts";
import { measureStarts } from "./paths/starting.ts";
import { measureUploads } from "./paths/uploads.ts";
import { type BenchPlan, FULL, PARTS, type Part, QUICK } from "./plan.ts";
import { benchReport } from "./report.ts";
import type { BenchResults, Bound } from "./results.ts";
import { fillFolder, openWorld, type World } from "./world.ts";

// npm run bench: measures the built server next to limits and peers in one run, and writes the results to
// docs/benchmarks.md. --quick only shows that everything runs, --only reads,orders measures some parts, --out names
// another file, and --large a folder that keeps the large store of the growth part for the next run. A run with any
// failed request writes nothing.

const PAGE = resolve(import.meta.dirname, "../../docs/benchmarks.md");

const IDLE = { what: "resident memory, idle", bound: 160 };
const AFTER_ALL = { what: "resident memory after all of the above", bound: 320 };

const part = z.enum(PARTS, { error: ({ input }) => `takes some of ${PARTS.join()}; not "${input}"` });
const { options } = readOptions(
  "Usage: npm run bench [-- --quick --only PART,PART --out FILE --large FOLDER]",
  {
    quick: z.boolean().default(false),
    only: z
      .string()
      .default(PARTS.join())
      .transform((names) => names.split(","))
      .pipe(z.array(part)),
    out: z.string().default(PAGE),
    large: z.string().optional(),
  },
);
const folder = await mkdtemp(join(tmpdir(), "print-store-bench-"));
try {
  const plan = options.quick ? QUICK : FULL;
  const results = await measure(plan, new Set(options.only), options.large ?? join(folder, "large"));
  const page = benchReport(results, plan);
  await writeFile(options.out, page);
  console.log(page);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

/**
 * Measures these parts on stores of its own; growth also uses one in `largeFolder`, which it fills if it does not exist.
 * Throws if anything fails.
 */
async function measure(plan: BenchPlan, parts: Set<Part>, largeFolder: string): Promise<BenchResults> {
  const { comparisons, bounds, growths }: BenchResults = { comparisons: [], bounds: [], growths: [] };
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
    if (parts.has("orders")) comparisons.push(await measureOrders(plan, world));
    if (parts.has("uploads")) comparisons.push(await measureUploads(plan, world));
    if (parts.has("page-counting")) comparisons.push(await measurePageCounting(plan, folder));
    if (parts.has("orders-on-postgres")) comparisons.push(await measureOrdersOnPostgres(plan, folder));
    bounds.push(...idle, ...(await measureMemory(plan, world, AFTER_ALL)));
    if (parts.has("growth")) growths.push(...(await measureGrowth(plan, folder, largeFolder)));
  } finally {
    await world.server.stop();
  }
  return { comparisons, bounds, growths };
}

/** The server's resident memory after a rest; nothing on systems other than Linux. */
async function measureMemory(
  { restSeconds }: BenchPlan,
  { server }: World,
  { what, bound }: Pick<Bound, "what" | "bound">,
): Promise<Bound[]> {
  await sleep(restSeconds * 1000);
  const memory = await residentMegabytes(server.child.pid).catch(() => null);
  return memory ? [{ what, unit: "MB", measured: memory.now, bound, kind: "at most" }] : [];
}
