import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { SuiteResult } from "./test-result.ts";

const docs = resolve(import.meta.dirname, "../docs");

/** A row `| 2.14 | statement | proof |`, whose proofs are names of tests between backticks. */
const ROW = /^\| *(\d[^ |]*) *\|(.*)$/gm;

/** How a row of docs/security.md that has no test begins; the reason follows. */
export const REASONS = /\*(Not met|Does not apply|By design):\* +[^\s|]/;

/**
 * Checks that the tests named in docs/conformance.md and docs/security.md passed in this run; one result for each page.
 * @param passed names of the tests that passed: `tests/unit/money.test.ts › money › is shown …`
 */
export function checkConformance(passed: ReadonlySet<string>): SuiteResult[] {
  return [checkDocument("conformance", passed), checkDocument("security", passed, REASONS)];
}

function checkDocument(name: string, passed: ReadonlySet<string>, reasons?: RegExp): SuiteResult {
  const complaints = findUnproven(readFileSync(resolve(docs, `${name}.md`), "utf8"), passed, reasons);
  for (const complaint of complaints) console.error(`docs/${name}.md: ${complaint}`);
  const failed = complaints.length > 0 ? 1 : 0;
  return { name, passed: 1 - failed, failed, seconds: 0 };
}

/**
 * A line for each row without a proof, and for each proof that is not among the tests that passed.
 * @param reasons what a row may give in place of a proof
 */
export function findUnproven(markdown: string, passed: ReadonlySet<string>, reasons?: RegExp): string[] {
  const rows = [...markdown.matchAll(ROW)];
  if (rows.length === 0) return ["there is no row"];
  return rows.flatMap(([, id, rest = ""]) => {
    const proofs = rest.match(/tests\/[^`]+/g);
    if (!proofs) return reasons?.test(rest) ? [] : [`${id} has no proof`];
    return proofs
      .filter((proof) => !passed.has(proof))
      .map((proof) => `${id} names a test that did not pass in this run: ${proof}`);
  });
}
