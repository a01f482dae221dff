import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import type { BenchPlan } from "../plan.ts";
import type { Bound } from "../results.ts";
import type { World } from "../world.ts";

const KB_PER_MB = 1024;

/** The server's resident memory after a rest, in MB; null on systems other than Linux. */
export async function measureMemory(
  { restSeconds }: Pick<BenchPlan, "restSeconds">,
  { server }: Pick<World, "server">,
  { what, bound }: Pick<Bound, "what" | "bound">,
): Promise<Bound | null> {
  await sleep(restSeconds * 1000);
  const status = await readFile(`/proc/${server.child.pid}/status`, "utf8").catch(() => null);
  const resident = status && /^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1];
  return resident
    ? { what, unit: "MB", measured: Number(resident) / KB_PER_MB, bound, kind: "at most" }
    : null;
}
