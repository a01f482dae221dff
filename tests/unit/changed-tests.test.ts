import { describe, expect, test } from "vitest";
import { selectTests } from "../../scripts/changed-tests.ts";

const ALL = [
  "tests/server/board.moves.test.ts",
  "tests/server/orders.own.test.ts",
  "tests/server/accounts.sessions.test.ts",
  "tests/rest/orders.test.ts",
  "tests/db/migrate.test.ts",
  "tests/e2e/own-orders.test.ts",
  "tests/e2e/admin-orders.test.ts",
  "tests/e2e/profile.test.ts",
];
const filesFor = (...changed: string[]) => selectTests(changed, ALL).files.slice(1);

describe("npm test -- --changed", () => {
  test("runs all unit tests, whatever has changed", () => {
    expect(selectTests([], ALL)).toMatchObject({ files: ["tests/unit/"] });
  });

  test("runs the tests of the server whose names share a word with a changed source", () => {
    expect(filesFor("src/server/orders/board/moves.service.ts")).toEqual([
      "tests/server/board.moves.test.ts",
      "tests/server/orders.own.test.ts",
      "tests/rest/orders.test.ts",
    ]);
  });

  test("runs browser tests for what browsers show, and no others", () => {
    expect(filesFor("src/client/features/orders/order-card.tsx")).toEqual(["tests/e2e/own-orders.test.ts"]);
  });

  test("runs the console's tests for the console and what both front ends share, not for the storefront", () => {
    const both = ["tests/e2e/own-orders.test.ts", "tests/e2e/admin-orders.test.ts"];
    expect(filesFor("src/admin/features/orders-board/order-card.tsx")).toEqual(both);
    expect(filesFor("src/ui/orders.ts")).toEqual(both);
  });

  test("runs a changed test itself", () => {
    expect(filesFor("tests/e2e/profile.test.ts")).toEqual(["tests/e2e/profile.test.ts"]);
  });

  test("asks PostgreSQL too where a query has changed", () => {
    const projects = (path: string) => selectTests([path], ALL).projects;
    expect(projects("src/server/orders/orders.queries.ts")).toContain("server on PostgreSQL");
    expect(projects("src/server/orders/orders.service.ts")).not.toContain("server on PostgreSQL");
  });
});
