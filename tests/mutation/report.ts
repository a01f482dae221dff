import { existsSync, readFileSync } from "node:fs";
import { dirname } from "node:path";
import type { Campaign } from "./campaign.ts";
import type { Memory } from "./memory.ts";
import type { Mutant } from "./mutants.ts";

/** A mutant that no test can notice, or that nobody would miss. */
interface Accepted {
  file: string;
  /** The source line without indentation. */
  code: string;
  /** `original → mutated`; empty for all mutants of the line. */
  change: string;
  reason: string;
}

type Fate = "killed" | "timeout" | "survived" | "uncovered" | "accepted" | "open";
type Judged = Mutant & { fate: Fate; note: string };

/** Share of the mutants that are not accepted which tests must notice. */
export const LEAST_KILLED = 0.95;

const ACCEPTED = "tests/mutation/accepted.json";
const FATES: Fate[] = ["killed", "timeout", "survived", "uncovered", "accepted", "open"];

export function readAccepted(root: string): Accepted[] {
  const path = `${root}/${ACCEPTED}`;
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : [];
}

/** The entry that accepts this mutant. */
export function findAccepted(accepted: Accepted[], mutant: Mutant): Accepted | undefined {
  return accepted.find(
    ({ file, code, change }) =>
      file === mutant.file && code === mutant.code && (change === "" || change === mutant.change),
  );
}

/** What is known of each mutant now. */
export function judge(
  mutants: Mutant[],
  { campaign, memory, accepted }: { campaign: Campaign; memory: Memory; accepted: Accepted[] },
): Judged[] {
  return mutants.map((mutant) => {
    const { killer } = memory.verdict(mutant);
    const found = findAccepted(accepted, mutant);
    if (killer) {
      return { ...mutant, fate: killer.isTimeout ? "timeout" : "killed", note: killer.test };
    }
    if (found) return { ...mutant, fate: "accepted", note: found.reason };
    if (!campaign.isDecided(mutant)) return { ...mutant, fate: "open", note: "" };
    const tests = campaign.covering(mutant).length;
    return { ...mutant, fate: tests === 0 ? "uncovered" : "survived", note: `${tests} test files passed` };
  });
}

/** Accepted entries of these files that fit no mutant any more, or one that is killed. */
export function outdated(accepted: Accepted[], judged: Judged[]): Accepted[] {
  const files = new Set(judged.map(({ file }) => file));
  return accepted.filter(
    (entry) =>
      files.has(entry.file) &&
      !judged.some((mutant) => mutant.fate === "accepted" && findAccepted([entry], mutant)),
  );
}

/** Killed and timed out, of all that are decided and not accepted. */
export function killedShare(judged: Judged[]): number {
  const counted = judged.filter(({ fate }) => fate !== "accepted" && fate !== "open");
  const killed = counted.filter(({ fate }) => fate === "killed" || fate === "timeout");
  return counted.length === 0 ? 1 : killed.length / counted.length;
}

export function printReport(judged: Judged[]): void {
  for (const { file, line, change, fate } of judged) {
    if (fate === "survived" || fate === "uncovered") console.log(`${fate} ${file}:${line}  ${change}`);
  }
  const folders = [...new Set(judged.map(({ file }) => dirname(file)))].sort();
  const row = (name: string, some: Judged[]) => ({
    folder: name,
    mutants: some.length,
    ...Object.fromEntries(FATES.map((fate) => [fate, some.filter((one) => one.fate === fate).length])),
    "%": Math.floor(killedShare(some) * 1000) / 10,
  });
  const rows = folders.map((folder) =>
    row(
      folder,
      judged.filter(({ file }) => dirname(file) === folder),
    ),
  );
  console.table(rows.length > 1 ? [...rows, row("all", judged)] : rows);
}
