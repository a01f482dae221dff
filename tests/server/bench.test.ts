import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { tempFolder } from "../setup/temporary.ts";

const TIMEOUT = { timeout: 600_000 };
/** The report of a run of these parts. */
async function benchPage(...args: string[]): Promise<string> {
  const out = join(await tempFolder(), "benchmarks.md");
  await promisify(execFile)(process.execPath, ["tests/bench/main.ts", "--quick", "--out", out, ...args]);
  return readFile(out, "utf8");
}

test("the benchmark runs and reports for each path whether it reaches its target", TIMEOUT, async () => {
  // The expensive parts are left to `npm run bench -- --quick`.
  const page = await benchPage("--only", "orders");

  const rows = page.split("\n").filter((line) => line.startsWith("| "));
  expect(rows.find((line) => line.startsWith("| POST printorder"))).toMatch(/\| (met|\*\*not met\*\*) \|$/);
});

test.each([
  [["--only", "reads,dreams"], /^--only takes some of .*"dreams"\nUsage: .*\n$/],
  [["--slow"], /^Unknown option '--slow'\nUsage: .*\n$/],
  [["reads"], /^Unexpected argument 'reads'\nUsage: .*\n$/],
])("a benchmark with %j says in a line what is wrong, and how it is used", async (args, told) => {
  await expect(benchPage(...args)).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(told) });
});
