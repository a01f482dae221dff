import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { onTestFinished, test } from "vitest";

const FILES = {
  "package.json": `{ "type": "module" }`,
  "vitest.config.ts": `export default {
    test: { isolate: false, projects: [{ extends: true, test: { name: "unit", include: ["tests/*.test.ts"] } }] },
  };`,
  "src/words.ts": `export const LONGEST = 5;
    export const fits = (word: string) => word.length <= LONGEST;
    export function countDown(from: number) {
      let left = from;
      while (left > 0) left -= 2;
      return left;
    }
    export const price = () => 7;
    console.log("nobody would miss this line");`,
  "src/young.ts": `export const young = (people: any) => people.where("age", "<", 18).limit(5);`,
  "tests/young.test.ts": `import { expect, test } from "vitest";
    import { young } from "../src/young.ts";
    test("whoever is 18 is not young", () => {
      const conditions: unknown[] = [];
      const people = { where: (...condition: unknown[]) => (conditions.push(condition), people), limit: () => people };
      young(people);
      expect(conditions).toEqual([["age", "<", 18]]);
    });`,
  "tests/words.test.ts": `import { expect, test } from "vitest";
    import { countDown, fits, price } from "../src/words.ts";
    test("a word of five letters fits", () => expect([fits("seven"), fits("eleven")]).toEqual([true, false]));
    test("counts down to the end", () => expect(countDown(4)).toBeLessThanOrEqual(0));
    test("there is a price", () => expect(price()).toBeGreaterThan(0));`,
};

test("a mutant that no test notices is reported, a noticed one is killed, and an endless one is stopped", ({
  expect,
}) => {
  const folder = mkdtempSync(join(tmpdir(), "mutation-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  symlinkSync(resolve("node_modules"), join(folder, "node_modules"));
  execFileSync("git", ["init", "--quiet", folder]);

  const args = [resolve("tests/mutation/main.ts"), "src", "--project", "unit", "--spare-seconds", "1"];
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: folder, encoding: "utf8" });

  expect(stdout).toContain("survived src/words.ts:8  7 → 8");
  expect(status).toBe(1);
  const { mutants } = JSON.parse(readFileSync(join(folder, ".mutation/report.json"), "utf8"));
  const fates = mutants.map(({ change, fate }: Record<string, string>) => `${change}: ${fate}`);
  expect(fates).toEqual(
    expect.arrayContaining([
      "5 → 6: killed",
      "word.length <= LONGEST → word.length < LONGEST: killed",
      "left -= 2 → left += 2: timeout",
      "7 → 8: survived",
      `where("age", "<", 18) → : killed`,
      `where("age", "<", 18) → <=: killed`,
      "limit(5) → : survived",
    ]),
  );
  expect(stdout).toContain("left out: 2 × a line of the log");
  expect(readFileSync(join(folder, "src/words.ts"), "utf8")).toBe(FILES["src/words.ts"]);
});
