import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { z } from "zod";
import { count, readOptions } from "../../scripts/arguments.ts";
import { type AttackOutcome, runAttacks } from "./attack.ts";
import type { Finding } from "./database.ts";
import { SMTP_BEHAVIOURS } from "./disasters.ts";
import { type ChaosOutcome, type ChaosPlan, runChaos } from "./run.ts";

// npm run chaos: runs the server under load, kills it at random moments, and checks that nothing it answered for is
// lost. With --disk-full its data lie on a small disk (a tmpfs in a mount namespace of its own, which needs no rights
// where user namespaces are allowed) that runs full now and then; with --smtp the mail server misbehaves meanwhile; with
// --postgres its database is a PostgreSQL of the run's own. With --attack nothing is killed: the server is attacked in every
// way of chaos/attacks.ts while a student goes on at another address, within the memory that deploy/ gives it.

/** How many wrong things of a check are printed. */
const SHOWN = 5;
const DISK = "size=64m";
const ON_SMALL_DISK = "CHAOS_DATA_DIR";

const { options } = readOptions(
  "Usage: npm run chaos [-- --seed N --kills N --students N --staff N --smtp KIND --longest-life-ms N --disk-full --postgres --attack]",
  {
    seed: count(0).default(1),
    kills: count(0).default(50),
    students: count(1).default(6),
    staff: count(1).default(2),
    smtp: z.enum(SMTP_BEHAVIOURS, `takes one of ${SMTP_BEHAVIOURS.join()}`).default("accept"),
    "longest-life-ms": count(100).default(3000),
    "disk-full": z.boolean().default(false),
    postgres: z.boolean().default(false),
    attack: z.boolean().default(false),
  },
);
const { "disk-full": diskFull, "longest-life-ms": longestLifeMs, attack, ...others } = options;

try {
  const plan = { ...others, diskFull, longestLifeMs };
  const folder = process.env[ON_SMALL_DISK];
  if (attack) process.exitCode = await runAllAttacks();
  else process.exitCode = plan.diskFull && !folder ? runOnSmallDisk() : await run(plan, folder);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
process.exit();

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

/** The outcome of a run as text. */
function outcomeTable(plan: ChaosPlan, { ledger, findings, kills, starts, seconds }: ChaosOutcome): string {
  const facts: [string, string | number][] = [
    ["seed", plan.seed],
    ["database", plan.postgres ? "PostgreSQL" : "SQLite"],
    ["mail server, disk", `${plan.smtp}, ${plan.diskFull ? "full now and then" : "with room"}`],
    ["kills, starts", `${kills}, ${starts}`],
    ["seconds", Math.round(seconds)],
    ["answers that were lost", ledger.lostAnswers],
    ["requests refused for want of room", ledger.refusals],
    ["orders asked for again under their key", ledger.repeats],
    ["slowest answer to an order, ms", Math.round(ledger.slowestOrderMs)],
  ];
  return [...aligned(facts.map((fact) => fact.map(String))), "", ...findingLines(findings)].join("\n");
}

/** The outcome of all attacks as text. */
function attackTable({ rows, findings }: AttackOutcome): string {
  const lines = rows.flatMap(({ name, got, peakMb, keptMb, served, slowestMs }) => [
    name,
    `  got ${got}; memory ${Math.round(peakMb)} MB at most, ${Math.round(keptMb)} MB over idle afterwards`,
    `  a student meanwhile: ${served} answers, the slowest after ${slowestMs} ms`,
  ]);
  return [...lines, "", ...findingLines(findings)].join("\n");
}

function findingLines(findings: Finding[]): string[] {
  const rows = [
    ["", "looked at", "wrong"],
    ...findings.map(({ check, looked, wrong }) => [check, String(looked), String(wrong.length)]),
  ];
  const details = findings.flatMap(({ check, wrong }) => [
    ...wrong.slice(0, SHOWN).map((line) => `${check}: ${line}`),
    ...(wrong.length > SHOWN ? [`${check}: and ${wrong.length - SHOWN} more`] : []),
  ]);
  return [...aligned(rows), ...details];
}

function aligned(rows: string[][]): string[] {
  const width = Math.max(...rows.map(([name = ""]) => name.length));
  return rows.map(([name = "", ...cells]) =>
    [name.padEnd(width), ...cells.map((cell) => cell.padStart(9))].join("  "),
  );
}
