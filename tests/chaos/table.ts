import type { AttackOutcome } from "./attack.ts";
import type { Finding } from "./checks.ts";
import type { ChaosOutcome, ChaosPlan } from "./run.ts";

const SHOWN = 5;

/** The outcome of a run as text. */
export function outcomeTable(
  plan: ChaosPlan,
  { ledger, findings, kills, starts, seconds }: ChaosOutcome,
): string {
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
export function attackTable({ rows, findings }: AttackOutcome): string {
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
