import { expect, test } from "vitest";
import { findUnproven, REASONS } from "../../scripts/check-conformance.ts";

const PASSED = new Set(["tests/unit/a.test.ts › money › adds up", "tests/e2e/b.test.ts › /faq opens"]);

function documentWith(row: string): string {
  return `# Conformance\n\n## 2. Screens\n\n| id | statement | proof |\n|---|---|---|\n${row}\n`;
}

test("accepts rows whose tests all passed, with or without a remark", () => {
  const rows = [
    "| 2.1 | It adds up | `tests/unit/a.test.ts › money › adds up` |",
    "| 2.2 | It opens | Read so: `tests/e2e/b.test.ts › /faq opens`<br>`tests/unit/a.test.ts › money › adds up` |",
  ];
  expect(findUnproven(documentWith(rows.join("\n")), PASSED)).toEqual([]);
});

test.each([
  ["that did not run", "tests/unit/a.test.ts › money › multiplies"],
  ["of another file", "tests/e2e/b.test.ts › money › adds up"],
  ["that is only a beginning", "tests/unit/a.test.ts › money › adds"],
])("reports a test %s, with its row", (_case, name) => {
  const row = `| 2.14 | It opens | \`tests/e2e/b.test.ts › /faq opens\`<br>\`${name}\` |`;
  expect(findUnproven(documentWith(row), PASSED)).toEqual([
    `2.14 names a test that did not pass in this run: ${name}`,
  ]);
});

test.each(["| 2.14 | It opens | |", "| 2.14 | It opens | Because we say so |", "| 2.14 | It opens"])(
  "reports a row without a proof: %s",
  (row) => expect(findUnproven(documentWith(row), PASSED)).toEqual(["2.14 has no proof"]),
);

test.each([
  "*Not met:* costs more than it saves",
  "*Does not apply:* there is none",
  "*By design:* Node does it",
  "*By design:* `package-lock.json` says so",
])("accepts a reason instead of a proof where reasons are allowed: %s", (reason) => {
  const markdown = documentWith(`| 6.2.1 | Eight characters | ${reason} |`);
  expect(findUnproven(markdown, PASSED, REASONS)).toEqual([]);
  expect(findUnproven(markdown, PASSED)).toEqual(["6.2.1 has no proof"]);
});

test.each(["*Not met:* |", "*Met:* somehow |", "Not met: no stars |"])(
  "rejects a reason that says nothing: %s",
  (reason) =>
    expect(findUnproven(documentWith(`| 6.2.1 | Eight | ${reason}`), PASSED, REASONS)).toEqual([
      "6.2.1 has no proof",
    ]),
);

test("rejects a named test that did not pass, even beside a reason", () => {
  const row = "| 6.2.1 | Eight | *By design:* so `tests/unit/a.test.ts › gone` |";
  expect(findUnproven(documentWith(row), PASSED, REASONS)).toHaveLength(1);
});

test("rejects a document without rows", () => {
  expect(findUnproven("# Conformance\n", PASSED)).toEqual(["there is no row"]);
});
