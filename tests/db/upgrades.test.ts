import Sqlite from "better-sqlite3";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { MIGRATIONS, migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { hashPassword } from "#server/accounts/passwords.ts";
import { expectDone } from "../factories/shops.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { tempDatabaseUrl } from "../setup/temp-database.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";
import { OLD_ADMIN, OLD_ORDER, OLD_SHOP, OLD_STUDENT, oldRows } from "./upgrades.rows.ts";

const PASSWORD = "correct horse battery";
const NAMES = Object.keys(MIGRATIONS);
/** What stands elsewhere by now. */
const MOVED = ["order_words"];

let passwordHash: string;
beforeAll(async () => {
  passwordHash = await hashPassword(PASSWORD);
});

test.each(NAMES)(
  "a full store as %s left it is brought up to date, keeps every row and works on",
  async (last) => {
    const url = await tempDatabaseUrl();
    await migrateTo(url, last);
    const old = openFile(url);
    fill(old);
    const before = everyRow(old);
    old.close();

    await migrateTo(url);

    const upgraded = openFile(url);
    for (const [table, rows] of Object.entries(before)) {
      if (MOVED.includes(table)) continue;
      expect([table, rowsOf(upgraded, table, Object.keys(rows[0] ?? {}))]).toEqual([table, rows]);
    }
    expect(upgraded.pragma("integrity_check")).toEqual([{ integrity_check: "ok" }]);
    expect(upgraded.pragma("foreign_key_check")).toEqual([]);
    upgraded.close();
    await expectWorking(url);
  },
);

/** Runs the migrations up to this one. */
async function migrateTo(url: string, last = NAMES.at(-1)): Promise<void> {
  const { db, close } = await openDatabase(url);
  const steps = Object.entries(MIGRATIONS).filter(
    ([name]) => NAMES.indexOf(name) <= NAMES.indexOf(last ?? ""),
  );
  await migrate(db, Object.fromEntries(steps));
  await close();
}

function openFile(url: string): Sqlite.Database {
  const file = new Sqlite(url.slice("file:".length));
  file.pragma("foreign_keys = on");
  onTestFinished(() => {
    file.close();
  });
  return file;
}

/** Writes the old rows into every table, as far as it has their columns already. */
function fill(file: Sqlite.Database): void {
  const tables = tablesOf(file);
  const rows = oldRows(passwordHash);
  expect(tables.filter((table) => !rows[table])).toEqual([]);
  for (const [table, tableRows] of Object.entries(rows)) {
    if (!tables.includes(table)) continue;
    const columns = columnsOf(file, table);
    const values = columns.map((column) => `:${column}`).join(", ");
    const insert = file.prepare(
      `insert or replace into ${table} (${columns.map(quoted)}) values (${values})`,
    );
    for (const row of tableRows) insert.run(row);
  }
}

/** What every table holds, none of them empty. */
function everyRow(file: Sqlite.Database): Record<string, Record<string, unknown>[]> {
  const tables = tablesOf(file);
  const rows = Object.fromEntries(
    tables.map((table) => [table, rowsOf(file, table, columnsOf(file, table))]),
  );
  expect(Object.keys(rows).filter((table) => rows[table]?.length === 0)).toEqual([]);
  return rows;
}

function tablesOf(file: Sqlite.Database): string[] {
  const sql =
    "select name from sqlite_schema where type = 'table' and name not glob 'kysely_*' order by name";
  return file.prepare<[], string>(sql).pluck().all();
}

function columnsOf(file: Sqlite.Database, table: string): string[] {
  return file.prepare<[string], string>("select name from pragma_table_info(?)").pluck().all(table);
}

function rowsOf(file: Sqlite.Database, table: string, columns: string[]): Record<string, unknown>[] {
  const names = columns.map(quoted).join(", ");
  return file.prepare<[], Record<string, unknown>>(`select ${names} from ${table} order by ${names}`).all();
}

function quoted(name: string): string {
  return `"${name}"`;
}

/** Starts today's server on the database and lets its student and its admin look at what they had. */
async function expectWorking(url: string): Promise<void> {
  const store = await startTestStore({ DATABASE_URL: url, SEED_DEMO: "false" });
  try {
    await expectStudentSeesAll(await login(store, OLD_STUDENT));
    await expectAdminSeesOrder(await login(store, OLD_ADMIN));
  } finally {
    await store.stop();
  }
}

async function login(store: TestStore, { email }: { email: string }): Promise<ApiClient> {
  const visitor = store.visitor();
  const { status } = await visitor.post("/api/v1/users/login", { email, password: PASSWORD });
  expect(status).toBe(200);
  return visitor;
}

async function expectStudentSeesAll(student: ApiClient): Promise<void> {
  const user = await student.get("/api/v1/users/getuser");
  expect(user.body.data).toMatchObject({ email: OLD_STUDENT.email, phone: OLD_STUDENT.phone });
  const shops = await student.get("/api/v1/prints/shopslocation");
  expect(JSON.stringify(shops.body.data)).toContain(OLD_SHOP.location);
  const shop = await student.get(`/api/v1/prints/shopdata?id=${OLD_SHOP.id}`);
  expect(shop.body.data).toMatchObject({
    shopName: OLD_SHOP.name,
    printedColours: [{ name: "Black & White" }],
  });
  const { rows } = expectDone(await student.query("orders.mine", {}));
  expect(rows).toMatchObject([{ number: OLD_ORDER.number, state: "placed" }]);
  const order = expectDone(await student.query("orders.one", { orderId: OLD_ORDER.id }));
  expect(order).toMatchObject({ pages: OLD_ORDER.pages, files: [{ name: "Notes.pdf" }] });
}

async function expectAdminSeesOrder(admin: ApiClient): Promise<void> {
  for (const search of [OLD_ORDER.number, "fernandes"]) {
    const { rows } = expectDone(await admin.query("queue.page", { search, state: "all" }));
    expect(rows).toMatchObject([{ id: OLD_ORDER.id }]);
  }
  const order = expectDone(await admin.query("queue.order", { orderId: OLD_ORDER.id }));
  expect(order).toMatchObject({ number: OLD_ORDER.number, state: "placed", copies: OLD_ORDER.copies });
}
