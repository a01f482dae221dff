import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { PARTS } from "../../scripts/bench/run.ts";
import { tempFolder } from "../setup/temp-database.ts";

const PATIENCE = { timeout: 180_000 };
/** It runs `npm start`, which the tests of every kind are within. */
const NOT_HERE = "starts";

/** What a run of these parts wrote. */
async function benchPage(...args: string[]): Promise<string> {
  const out = join(await tempFolder(), "benchmarks.md");
  await promisify(execFile)(process.execPath, ["scripts/bench.ts", "--quick", "--out", out, ...args]);
  return readFile(out, "utf8");
}

test("the bench runs, and says of every path whether it reaches its limit", PATIENCE, async () => {
  const parts = PARTS.filter((part) => part !== NOT_HERE);

  const page = await benchPage("--only", parts.join());

  const rows = page.split("\n").filter((line) => line.startsWith("| "));
  for (const path of [
    "GET shopslocation",
    "POST login",
    "POST printorder",
    "POST uploads",
    "page counting",
  ]) {
    const row = rows.find((line) => line.startsWith(`| ${path}`));
    expect(row, path).toMatch(/\| (met|\*\*not met\*\*) \|$/);
  }
  expect(page).toContain("## How cost grows");
});

test("the bench refuses parts that it does not know", async () => {
  await expect(benchPage("--only", "reads,dreams")).rejects.toThrow(/--only takes some of .*"dreams"/);
});
