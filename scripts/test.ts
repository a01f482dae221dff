import { parseCLI, startVitest } from "vitest/node";
import { testsOfChanges } from "./changed-tests.ts";
import { checkConformance } from "./check-conformance.ts";
import { runChecks } from "./checks.ts";
import { printTotals, type SuiteResult, TestTally } from "./test-result.ts";

// npm test: the static checks, then every test, then whether these tests prove what docs/conformance.md and
// docs/security.md say. Arguments (`npm test -- tests/unit/pricing.test.ts`) are passed to Vitest, and the checks are
// skipped. `npm test -- --changed [COMMIT]` runs the tests of what has changed since then, or since the last commit.

const args = withChanges(process.argv.slice(2));
const isWhole = args.length === 0;
const checks = isWhole ? await runChecks() : [];
const tests = await runTests(args);
process.exit(printTotals([...checks, ...tests]));

/** Replaces `--changed` by the tests that it chooses. */
function withChanges([first, base = "HEAD", ...others]: string[]): string[] {
  if (first !== "--changed") return process.argv.slice(2);
  const { files, projects } = testsOfChanges(base);
  return [...files, ...projects.map((name) => `--project=${name}`), ...others];
}

async function runTests(args: string[]): Promise<SuiteResult[]> {
  const { filter, options } = parseCLI(["vitest", ...args]);
  const tally = new TestTally();
  const vitest = await startVitest(filter, { ...options, watch: false, reporters: ["default", tally] });
  await vitest.close();
  if (isWhole) for (const name of tally.skipped) console.log(`Not run on this machine: ${name}`);
  const ran = tally.results.some(({ passed, failed }) => passed + failed > 0);
  if (!ran) return [{ name: "no test ran", passed: 0, failed: 1, seconds: 0 }];
  return isWhole ? [...tally.results, ...checkConformance(tally.passed)] : tally.results;
}
