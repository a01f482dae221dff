import { parseCLI, startVitest } from "vitest/node";
import { runChecks } from "./checks.ts";
import { printTotals, type SuiteResult } from "./suite-result.ts";
import { TestTally } from "./test-tally.ts";

// npm test: the static checks, then every test. With arguments (`npm test -- tests/unit/pricing.test.ts`) they go to
// Vitest as they are, and the static checks are left out.

const args = process.argv.slice(2);
const checks = args.length === 0 ? await runChecks() : [];
const tests = await runTests(args);
process.exit(printTotals([...checks, ...tests]));

async function runTests(args: string[]): Promise<SuiteResult[]> {
  const { filter, options } = parseCLI(["vitest", ...args]);
  const tally = new TestTally(args.length > 0);
  const vitest = await startVitest(filter, { ...options, watch: false, reporters: ["default", tally] });
  await vitest.close();
  const ran = tally.results.some(({ passed, failed }) => passed + failed > 0);
  return ran ? tally.results : [{ name: "no test ran", passed: 0, failed: 1, seconds: 0 }];
}
