import { expect, test } from "vitest";
import { CSV_START, csvLine } from "#shared/csv.ts";

test("a file begins with the mark by which spreadsheets know UTF-8", () => {
  expect(CSV_START.charCodeAt(0)).toBe(0xfeff);
  expect(CSV_START).toHaveLength(1);
});

test.each<[string | number, string]>([
  ["Asha Verma", "Asha Verma"],
  [-12.5, "-12.5"],
  ["", ""],
  ["a,b", '"a,b"'],
  ['a"b', '"a""b"'],
  ["a\nb", '"a\nb"'],
  ["a\rb", '"a\rb"'],
  [" a", '" a"'],
  ["a ", '"a "'],
  ["a b", "a b"],
  ["=1+1", `"'=1+1"`],
  ["'=1", `"''=1"`],
  ["+91", `"'+91"`],
  ["-1", `"'-1"`],
  ["@a", `"'@a"`],
  ["\ta", `"'\ta"`],
  ["'a", "'a"],
])("the cell %j is written as %s", (cell, written) => {
  expect(csvLine([cell, 1])).toBe(`${written},1\r\n`);
});
