import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { checkBoundaries } from "../../scripts/boundaries/check.ts";

const ALIASES = { "#db/*": "./db/*", "#server/*": "./src/server/*", "#shared/*": "./src/shared/*" };

/** Checks a tree with these files and returns each violation as `path:line rule`. */
async function check(files: Record<string, string>): Promise<string[]> {
  const root = await mkdtemp(join(tmpdir(), "boundaries-"));
  onTestFinished(() => rm(root, { recursive: true }));
  await writeFile(join(root, "package.json"), JSON.stringify({ imports: ALIASES }));
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), content);
  }
  return checkBoundaries(root, Object.keys(files)).map(({ path, line, rule }) => `${path}:${line} ${rule}`);
}

test("accepts a tree whose imports all point in the allowed direction", async () => {
  const violations = await check({
    "src/shared/money.ts": 'import { z } from "zod"; export const paise = z.int();',
    "db/open.ts":
      'import { Kysely } from "kysely"; import { paise } from "#shared/money.ts"; export const db = [Kysely, paise];',
    "db/migrations/2026-01-01-first.ts": 'import { sql } from "kysely"; export const up = sql;',
    "src/server/context.ts":
      'import type { Store } from "./files/storage/file-store.ts"; export type Context = Store;',
    "src/server/files/storage/file-store.ts":
      'import type { Context } from "../../context.ts"; export type Store = Context | 1;',
    "src/server/shops/shops.queries.ts": 'import { db } from "#db/open.ts"; export const find = db;',
    "src/server/shops/shops.service.ts":
      'import { find } from "./shops.queries.ts"; export const shop = find;',
    "src/server/orders/placement/placement.service.ts":
      'import { shop } from "../../shops/shops.service.ts"; export const order = shop;',
    "src/server/orders/orders.router.ts":
      'import { order } from "./placement/placement.service.ts"; export const router = order;',
    "src/server/main.ts":
      'import { router } from "./orders/orders.router.ts"; console.log(router, process.env);',
    "src/client/routes/index.tsx":
      'import type { router } from "#server/orders/orders.router.ts"; export type R = typeof router;',
    "src/admin/routes/index.tsx": 'import { Logo } from "../../ui/logo.tsx"; export const Route = Logo;',
    "src/ui/logo.tsx": "export const Logo = () => <svg />;",
    "scripts/run.mjs": "export const env = process.env;",
  });

  expect(violations).toEqual([]);
});

test.each([
  [
    "shared code with a package",
    { "src/shared/a.ts": '\nimport "kysely";' },
    "src/shared/a.ts:2 shared code imports zod",
  ],
  [
    "a source by the extension of what it could be compiled to",
    { "src/shared/a.ts": '\nimport "./b.js";' },
    "src/shared/a.ts:2 a source is imported by its own extension, .ts or .tsx",
  ],
  [
    "a migration with an alias",
    { "db/migrations/a.ts": 'import "#shared/x.ts";' },
    "db/migrations/a.ts:1 a migration",
  ],
  ["db with the server", { "db/a.ts": 'import "#server/x.ts";' }, "db/a.ts:1 the database layer imports"],
  [
    "the server with the client",
    { "src/server/app.ts": 'import "../client/x.ts";' },
    "the server imports itself",
  ],
  [
    "the server with a script",
    { "src/server/app.ts": 'import "../../scripts/x.ts";' },
    "the server imports itself",
  ],
  [
    "queries with a service",
    { "src/server/shops/a.queries.ts": 'import "./a.service.ts";' },
    "queries must not import upward from service",
  ],
  [
    "a service with a router",
    { "src/server/shops/a.service.ts": 'import type { T } from "./a.router.ts";' },
    "service must not import upward from router",
  ],
  [
    "a router with REST",
    { "src/server/shops/a.router.ts": 'import "./a.http.ts";' },
    "router must not import upward from rest",
  ],
  [
    "REST with the app",
    { "src/server/shops/a.http.ts": 'import "../app.ts";' },
    "rest must not import upward from app",
  ],
  [
    "the app with main",
    { "src/server/app.ts": 'await import("./main.ts");' },
    "app must not import upward from main",
  ],
  [
    "core with a service",
    { "src/server/errors.ts": 'import "./shops/a.service.ts";' },
    "core must not import upward from service",
  ],
  [
    "a domain with another's queries",
    { "src/server/orders/a.service.ts": 'import "../shops/b.queries.ts";' },
    "orders uses the services of shops, never what is behind them",
  ],
  [
    "a domain with one that stands above it",
    { "src/server/shops/a.service.ts": 'import type { T } from "../orders/board/b.service.ts";' },
    "shops stands below orders and must not import from it",
  ],
  [
    "a library with a domain",
    { "src/server/lib/a.ts": 'import type { T } from "../http/b.ts";' },
    "lib stands below http and must not import from it",
  ],
  [
    "a folder of the server that is not in the plan",
    { "src/server/things/a.service.ts": "export const a = 1;" },
    "src/server/things/a.service.ts:1 things is no folder of the server",
  ],
  [
    "a kind of file that is not in the list",
    { "src/server/orders/a.manager.ts": "export const a = 1;" },
    "a.manager.ts:1 a file of a domain is named noun.kind.ts",
  ],
  [
    "the client with the server",
    { "src/client/lib/a.ts": 'import { type T } from "#server/x.ts";' },
    "of the server only `import type`",
  ],
  [
    "the client with the database",
    { "src/client/lib/a.ts": 'import type { T } from "#db/x.ts";' },
    "the client imports itself",
  ],
  [
    "the admin with the client's features",
    { "src/admin/lib/a.ts": 'import "../../client/features/x.ts";' },
    "the admin imports itself",
  ],
  [
    "the admin with the client's ui",
    { "src/admin/lib/a.ts": 'import "../../client/ui/x.ts";' },
    "the admin imports itself",
  ],
  [
    "what the front ends share with one of them",
    { "src/ui/a.ts": 'import "../client/ui/x.ts";' },
    "what the front ends share imports itself",
  ],
  [
    "the admin with the client's routes",
    { "src/admin/lib/a.ts": 'import "../../client/routes/x.tsx";' },
    "the admin imports itself",
  ],
  [
    "ui with features",
    { "src/client/ui/a.tsx": 'import "../features/x.ts";' },
    "ui must not import upward from features",
  ],
  [
    "features with routes",
    { "src/client/features/a.tsx": 'import "../routes/x.tsx";' },
    "features must not import upward from routes",
  ],
  [
    "the environment in a service",
    { "src/server/shops/a.service.ts": "\n\nexport const port = process.env.PORT;" },
    "a.service.ts:3 process.env",
  ],
  ["the environment in db", { "db/a.ts": "export const { PORT } = process.env;" }, "db/a.ts:1 process.env"],
  [
    "a file named index.ts",
    { "src/shared/index.ts": "export const a = 1;" },
    "src/shared/index.ts:1 no barrels",
  ],
  [
    "a re-export",
    { "src/shared/a.ts": 'export const a = 1;\nexport { b } from "./b.ts";' },
    "src/shared/a.ts:2 no re-exports",
  ],
  ["utils", { "src/shared/utils.ts": "export const a = 1;" }, "src/shared/utils.ts:1 no utils or helpers"],
  [
    "helpers of a front end",
    { "src/client/lib/a.helpers.ts": "export const a = 1;" },
    "a.helpers.ts:1 no utils or helpers",
  ],
  [
    "a cycle",
    {
      "src/shared/a.ts": 'import "./b.ts"; export const a = 1;',
      "src/shared/b.ts": 'import "./c.ts"; export const b = 1;',
      "src/shared/c.ts": 'import { a } from "./a.ts"; export const c = a;',
    },
    "import cycle: src/shared/a.ts -> src/shared/b.ts -> src/shared/c.ts -> src/shared/a.ts",
  ],
  [
    "a cycle that imports of types close",
    {
      "src/shared/a.ts": 'import type { B } from "./b.ts"; export type A = B;',
      "src/shared/b.ts": 'import { type A, a } from "./a.ts"; export type B = A | typeof a;',
    },
    "import cycle: src/shared/a.ts -> src/shared/b.ts -> src/shared/a.ts",
  ],
] as [string, Record<string, string>, string][])(
  "reports a violation with file, line and rule: %s",
  async (_what, files, expected) => {
    const violations = await check(files);

    expect(violations).toHaveLength(1);
    expect(violations[0]).toContain(expected);
  },
);
