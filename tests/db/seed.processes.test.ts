import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import type { Database } from "#db/database.ts";
import { openDatabase } from "#db/open.ts";
import { readDemoShops, seedShops } from "#db/seed/seed.ts";
import { seedFile } from "#shared/schemas/seed.ts";
import { BARE_ENVIRONMENT } from "../setup/spawned-server.ts";
import { tempDatabaseUrl, tempFolder } from "../setup/temporary.ts";
import { migratedDatabaseUrlFor } from "../setup/test-database.ts";
import { snapshot } from "./seed.fixtures.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../..");

test("three processes that start at the same moment on a new file seed each demo shop once", async () => {
  const url = await tempDatabaseUrl();
  const urls = Array.from({ length: 5 }, (_, round) => `${url}-${round}`);
  const program = join(import.meta.dirname, "seed-demo-once.ts");
  const startAt = `${Date.now() + 1000}`;

  const answers = await Promise.all([1, 2, 3].map(() => run(process.execPath, [program, startAt, ...urls])));

  const reports = answers.map(({ stdout }) => JSON.parse(stdout));
  for (const [round, url] of urls.entries()) {
    expect(reports.filter((report) => report[round] !== null)).toHaveLength(1);
    const { shops, options } = await snapshot((await open(url)).db);
    expect(shops).toHaveLength(readDemoShops().shops.length);
    expect(new Set(options.map((row) => `${row.shop_id} ${row.kind} ${row.name}`)).size).toBe(options.length);
  }
});

test("two seed commands at the same moment both succeed, and each shop exists once", async () => {
  const url = await migratedDatabaseUrlFor(await tempFolder());

  const outputs = await Promise.all([seedCommand(url), seedCommand(url)]);

  const count = readDemoShops().shops.length;
  expect(outputs.map((output) => /shops: (\d+) created/.exec(output)?.[1]).sort()).toEqual(["0", `${count}`]);
  expect((await snapshot((await open(url)).db)).shops).toHaveLength(count);
});

test("the seed command takes a file with a byte order mark, and prints what it did and each payment address and e-mail that it changed", async () => {
  const url = await migratedDatabaseUrlFor(await tempFolder());
  const file = await jsonFile(url, { shops: [shopAsWritten({})] });
  await writeFile(file, `\uFEFF${await readFile(file, "utf8")}`);
  const changed = shopAsWritten({ perPageCost: "2.10", upiId: "new@bank", email: "new@a-shop.example" });

  const first = await seedCommand(url, file);
  const second = await seedCommand(url, await jsonFile(url, { shops: [changed] }));

  expect(first).toContain("shops: 1 created, 0 updated, 0 unchanged");
  expect(first).toContain("options: 6 created, 0 updated, 0 unchanged, 0 deactivated");
  expect(first).not.toContain("which was");
  expect(second).toContain("shops: 0 created, 1 updated, 0 unchanged");
  expect(second).toContain("a-shop: UPI ID “new@bank”, which was “”\n");
  expect(second).toContain("a-shop: e-mail new@a-shop.example, which was orders@a-shop.example\n");
  expect((await snapshot((await open(url)).db)).shops).toMatchObject([{ id: "a-shop", per_page_paise: 210 }]);
});

test("an invalid file is refused with the place of each fault, and nothing is changed", async () => {
  const url = await migratedDatabaseUrlFor(await tempFolder());
  const { db } = await open(url);
  await seedShops(db, readDemoShops(), new Date());
  const before = await snapshot(db);
  const file = await jsonFile(url, {
    shops: [
      shopAsWritten({}),
      shopAsWritten({
        id: "another-shop",
        paperTypes: [{ name: "70 GSM", price: 1.234 }],
        coverOptions: [
          { name: "None", price: 0 },
          { name: "None", price: 1 },
        ],
        colour: "blue",
      }),
    ],
  });

  const refusal = await seedCommand(url, file).catch((error) => error);

  expect(refusal).toMatchObject({ code: 1 });
  expect(refusal.stderr).toContain("nothing was changed");
  expect(refusal.stderr.split("\n")).toEqual(
    expect.arrayContaining([
      "  shop 2 (A Shop), paperTypes, option 1 (70 GSM), price: must have at most two decimals",
      '  shop 2 (A Shop), coverOptions, option 2, name: "None" is here twice',
      '  shop 2 (A Shop): Unrecognized key: "colour"',
    ]),
  );
  expect(await snapshot(db)).toEqual(before);
});

test("a missing file or one that is not JSON is refused with its name", async () => {
  const url = await migratedDatabaseUrlFor(await tempFolder());
  const folder = dirname(url.slice("file:".length));
  await writeFile(join(folder, "broken.json"), "{ shops: ");

  const missing = await seedCommand(url, join(folder, "missing.json")).catch((error) => error);
  const broken = await seedCommand(url, join(folder, "broken.json")).catch((error) => error);

  expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("missing.json") });
  expect(broken).toMatchObject({ code: 1, stderr: expect.stringContaining("broken.json is not JSON") });
});

test("the demo shops stay out of a store that serves real people, and two files are not taken for one", async () => {
  const url = await migratedDatabaseUrlFor(await tempFolder());
  const file = await jsonFile(url, { shops: [shopAsWritten({})] });
  const usage = { code: 1, stderr: "Usage: npm run seed -- FILE\n" };
  expect(await seedCommand(url, file, file).catch((error) => error)).toMatchObject(usage);
  const env = { ...BARE_ENVIRONMENT, DATABASE_URL: url, NODE_ENV: "production" };
  const program = join(root, "scripts/seed.ts");
  expect(await run(process.execPath, [program], { env }).catch((error) => error)).toMatchObject(usage);
  expect((await snapshot((await open(url)).db)).shops).toEqual([]);
});

test("the demo shops stay out of a store that has a shop of its own", async () => {
  const url = await migratedDatabaseUrlFor(await tempFolder());
  const { db } = await open(url);
  await seedShops(db, seedFile.parse({ shops: [shopAsWritten({})] }), new Date());

  const refusal = await seedCommand(url).catch((error) => error);

  expect(refusal).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^The demo shops were not loaded: [^\n]+\n$/),
  });
  expect((await snapshot(db)).shops).toHaveLength(1);
});

async function seedCommand(databaseUrl: string, ...args: string[]): Promise<string> {
  const env = { ...BARE_ENVIRONMENT, DATABASE_URL: databaseUrl };
  const { stdout } = await run(process.execPath, [join(root, "scripts/seed.ts"), ...args], { env });
  return stdout;
}

async function open(url: string): Promise<Database> {
  const database = await openDatabase(url);
  onTestFinished(() => database.close());
  return database;
}

async function jsonFile(databaseUrl: string, content: unknown): Promise<string> {
  const path = `${databaseUrl.slice("file:".length)}.seed.json`;
  await writeFile(path, JSON.stringify(content));
  return path;
}

function shopAsWritten(changes: Record<string, unknown>) {
  return {
    id: "a-shop",
    shopName: "A Shop",
    shopLocation: "Somewhere",
    college: "Some College",
    shopImage: "/shop-images/a-shop.svg",
    ratings: 4.5,
    perPageCost: 1.05,
    email: "orders@a-shop.example",
    contactNumber: "+91 00000 00000",
    paperTypes: [{ name: "70 GSM", price: 0.3 }],
    paperSizes: [{ name: "A4", price: 0 }],
    printedColours: [{ name: "Black & White", price: 0.5 }],
    printingSides: [{ name: "Single side", price: 0.25, sides: 1 }],
    coverOptions: [{ name: "None", price: 0, basis: "copy" }],
    bindingOptions: [{ name: "None", price: 0, basis: "copy" }],
    ...changes,
  };
}
