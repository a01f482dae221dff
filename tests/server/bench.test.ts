import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { readParts } from "../bench/plan.ts";
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

test("of the parts that a benchmark is asked for an unknown one is refused", () => {
  expect(() => readParts("reads,dreams")).toThrow(/--only takes some of .*"dreams"/);
});
