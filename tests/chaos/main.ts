import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { runAttacks } from "./attack.ts";
import { type ChaosPlan, runChaos, SMTP_BEHAVIOURS } from "./run.ts";
import { attackTable, outcomeTable } from "./table.ts";

// npm run chaos: runs the server under load, kills it at random moments, and checks that nothing it answered for is
// lost. With --disk-full its data lie on a small disk (a tmpfs in a mount namespace of its own, which needs no rights
// where user namespaces are allowed) that runs full now and then; with --smtp the mail server misbehaves meanwhile; with
// --postgres its database is a PostgreSQL of the run's own. With --attack nothing is killed: the server is attacked in every
// way of chaos/attacks while a student goes on at another address, within the memory that deploy/ gives it.

const DISK = "size=64m";
const ON_SMALL_DISK = "CHAOS_DATA_DIR";

const count = (least: number) => z.coerce.number("must be a number").int("must be a whole number").min(least);
const options = z
  .object({
    seed: count(0).default(1),
    kills: count(0).default(50),
    students: count(1).default(6),
    staff: count(1).default(2),
    smtp: z.enum(SMTP_BEHAVIOURS).default("accept"),
    "longest-life-ms": count(100).default(3000),
    "disk-full": z.boolean().default(false),
    postgres: z.boolean().default(false),
    attack: z.boolean().default(false),
  })
  .transform(({ "disk-full": diskFull, "longest-life-ms": longestLifeMs, ...rest }) => ({
    ...rest,
    diskFull,
    longestLifeMs,
  }));

try {
  const plan = readPlan(process.argv.slice(2));
  const folder = process.env[ON_SMALL_DISK];
  if (plan.attack) process.exitCode = await runAllAttacks();
  else process.exitCode = plan.diskFull && !folder ? runOnSmallDisk() : await run(plan, folder);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
process.exit();

function readPlan(args: string[]): ChaosPlan & { attack: boolean } {
  const { values } = parseArgs({
    args,
    options: {
      seed: { type: "string" },
      kills: { type: "string" },
      students: { type: "string" },
      staff: { type: "string" },
      smtp: { type: "string" },
      "longest-life-ms": { type: "string" },
      "disk-full": { type: "boolean" },
      postgres: { type: "boolean" },
      attack: { type: "boolean" },
    },
  });
  const parsed = options.safeParse(values);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  throw new Error(`--${issue?.path.join()} ${issue?.message}`);
}

async function run(plan: ChaosPlan, folder: string | undefined): Promise<number> {
  const outcome = await runChaos(plan, folder);
  console.log(outcomeTable(plan, outcome));
  return outcome.findings.every(({ wrong }) => wrong.length === 0) ? 0 : 1;
}

async function runAllAttacks(): Promise<number> {
  const outcome = await runAttacks({ scale: 1 });
  console.log(attackTable(outcome));
  return outcome.findings.every(({ wrong }) => wrong.length === 0) ? 0 : 1;
}

/** Runs this script again in a mount namespace where the folder is a small disk, which ends with the process. */
function runOnSmallDisk(): number {
  const folder = mkdtempSync(join(tmpdir(), "print-store-chaos-"));
  const shell = `mount -t tmpfs -o ${DISK} tmpfs "$0" && exec "$@"`;
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  const { status } = spawnSync(
    "unshare",
    ["--map-root-user", "--mount", "sh", "-c", shell, folder, ...command],
    {
      stdio: "inherit",
      env: { ...process.env, [ON_SMALL_DISK]: folder },
    },
  );
  rmSync(folder, { recursive: true, force: true });
  return status ?? 1;
}
