import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { SuiteResult } from "./suite-result.ts";

const document = resolve(import.meta.dirname, "../docs/conformance.md");

/** A row `| 2.14 | statement | proof |`; its proofs are names of tests between backticks. */
const ROW = /^\| *(\d[^ |]*) *\|(.*)$/gm;

/**
 * What docs/conformance.md names and this run does not bear out, as one check.
 * @param passed names of the tests that passed: `tests/unit/money.test.ts › money › is shown …`
 */
export function checkConformance(passed: ReadonlySet<string>): SuiteResult {
  const complaints = findUnproven(readFileSync(document, "utf8"), passed);
  for (const complaint of complaints) console.error(`docs/conformance.md: ${complaint}`);
  const failed = complaints.length > 0 ? 1 : 0;
  return { name: "conformance", passed: 1 - failed, failed, seconds: 0 };
}

/** A line for each row without a proof, and for each proof that is not among the tests that passed. */
export function findUnproven(markdown: string, passed: ReadonlySet<string>): string[] {
  const rows = [...markdown.matchAll(ROW)];
  if (rows.length === 0) return ["there is no row"];
  return rows.flatMap(([, id, rest = ""]) => {
    const proofs = rest.match(/tests\/[^`]+/g);
    if (!proofs) return [`${id} has no proof`];
    return proofs
      .filter((proof) => !passed.has(proof))
      .map((proof) => `${id} names a test that did not pass in this run: ${proof}`);
  });
}
