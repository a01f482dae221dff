import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
const page = readFileSync("docs/dependencies.md", "utf8");

/** The packages in the first column of the tables of one section. */
function packagesIn(text: string): string[] {
  const rows = text.matchAll(/^\| (`[^|]+`) \|/gm);
  return [...rows].flatMap(([, names = ""]) => names.replaceAll("`", "").split(", "));
}

test("docs/dependencies.md explains each package once", () => {
  const [served = "", development = ""] = page.split("\n## For development\n");
  expect(packagesIn(served).sort()).toEqual(Object.keys(dependencies).sort());
  expect(packagesIn(development).sort()).toEqual(Object.keys(devDependencies).sort());
});
