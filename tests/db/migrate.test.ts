import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type Db, isOnPostgres } from "#db/database.ts";
import { MIGRATIONS, migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { hashPassword } from "#server/accounts/passwords.ts";
import { seenByStaff, seenByStudent } from "../factories/orders.ts";
import { expectDone } from "../factories/shops.ts";
import { visitorAs } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { type PostgresServer, startPostgres } from "../setup/postgres-server.ts";
import { tempDatabaseUrl } from "../setup/temporary.ts";
import { startTestStore, tempStore } from "../setup/test-store.ts";
import { OLD_ADMIN, OLD_ORDER, OLD_SHOP, OLD_STUDENT, oldRows } from "./migrate.rows.ts";

const PASSWORD = "correct horse battery";
const NAMES = Object.keys(MIGRATIONS);
/** The first migration puts one row into each of these. */
const SINGLE_ROWS = ["catalogue", "live_event_head"];

let postgres: PostgresServer;
let rows: Rows;
beforeAll(async () => {
  postgres = await startPostgres();
  rows = oldRows(await hashPassword(PASSWORD));
});
afterAll(() => postgres.stop());

describe.each(["SQLite", "PostgreSQL"])("on %s", (kind) => {
  const emptyDatabase = () => (kind === "SQLite" ? tempDatabaseUrl() : newPostgresDatabase());

  test("an empty database gets every migration, and a second run does nothing", async () => {
    const db = await open(await emptyDatabase());

    expect(await migrate(db)).toEqual(NAMES);
    expect(await migrate(db)).toEqual([]);
  });

  test.each(NAMES)("a full database from %s is upgraded, keeps every row and still works", async (last) => {
    const url = await emptyDatabase();
    const db = await open(url);
    const until = Object.entries(MIGRATIONS).slice(0, NAMES.indexOf(last) + 1);
    await migrate(db, Object.fromEntries(until));
    await fill(db);
    const before = await everyRow(db);

    await migrate(db);

    expect(await everyRow(db, before)).toEqual(before);
    await expectSound(db);
    await expectWorking(url);
  });

  test("the database itself refuses a second open hold, invoice, or entry of one press", async () => {
    const db = await open(await emptyDatabase());
    await migrate(db);
    await fill(db);
    const isOpen = { resolved_at: null, how: null };
    const twice: [table: string, change: Record<string, unknown>][] = [
      ["order_holds", isOpen],
      ["invoices", { seq: 2 }],
      ["payments", {}],
    ];
    const [hold] = rows.order_holds ?? [];
    await insert(db, "order_holds", { ...hold, ...isOpen, id: "open" });

    for (const [table, change] of twice) {
      const second = insert(db, table, { ...rows[table]?.[0], ...change, id: "second" });
      await expect(second, table).rejects.toThrow(/unique/i);
    }
  });

  test("a later migration converts the rows of a full database and leaves the rest unchanged", async () => {
    const db = await open(await emptyDatabase());
    await migrate(db);
    await fill(db);
    const before = await everyRow(db);

    expect(await migrate(db, { ...MIGRATIONS, "9998-next": { up: addNicknames } })).toEqual(["9998-next"]);

    const { users, ...others } = await everyRow(db);
    const { nicknames, ...rest } = others;
    const { users: people, ...unchanged } = before;
    expect(rest).toEqual(unchanged);
    expect(users).toEqual(
      people?.map((person) => ({ ...person, nickname: String(person.full_name).toUpperCase() })),
    );
    expect(nicknames).toEqual([{ user_id: "meera" }, { user_id: "ravi" }, { user_id: "zoe" }]);
    await expectSound(db);
  });

  test("a failing migration rolls back itself and those before it in the same run", async () => {
    const db = await open(await emptyDatabase());
    await migrate(db);
    await fill(db);
    const before = await everything(db);
    const next = { up: addNicknames };
    const broken = {
      async up(trx: Kysely<unknown>) {
        await trx.schema.dropTable("order_notes").execute();
        await sql`insert into nicknames (user_id) values ('zoe')`.execute(trx);
      },
    };

    const failed = migrate(db, { ...MIGRATIONS, "9998-next": next, "9999-broken": broken });

    await expect(failed).rejects.toThrow(/unique/i);
    expect(await everything(db)).toEqual(before);
    expect(await migrate(db, { ...MIGRATIONS, "9998-next": next })).toEqual(["9998-next"]);
  });

  test("a change of a shop raises the catalogue's version unless it is of what no guest sees", async () => {
    const db = await open(await emptyDatabase());
    await migrate(db);
    await fill(db);
    const version = async () =>
      (await db.selectFrom("catalogue").select("version").executeTakeFirstOrThrow()).version;
    const tables = await db.introspection.getTables();
    const columns = tables.find(({ name }) => name === "shops")?.columns.map(({ name }) => name) ?? [];
    const unseen: string[] = [];
    for (const column of columns) {
      const before = await version();
      await sql`update shops set ${sql.ref(column)} = ${sql.ref(column)}`.execute(db);
      if ((await version()) === before) unseen.push(column);
    }
    expect(unseen.sort()).toEqual([
      "counter_on",
      "counter_version",
      "created_at",
      "order_email",
      "saved_at",
      "saved_by",
      "separates_files",
      "version",
    ]);
    const before = await version();
    await sql`update shops set version = version + 1, name = 'Another'`.execute(db);
    expect(await version()).toBeGreaterThan(before);
  });

  test("a server refuses a database migrated by a newer version with one line, and changes nothing", async () => {
    const url = await emptyDatabase();
    const db = await open(url);
    await migrate(db, { ...MIGRATIONS, "9999-newer": { up: addNicknames } });
    const before = await everything(db);

    await expect(startTestStore({ DATABASE_URL: url })).rejects.toThrow(
      /^The database \S+ is newer than this code: it has had the migration 9999-newer$/,
    );
    expect(await everything(db)).toEqual(before);
  });

  test("a server refuses a database with tables of something else with one line, and changes nothing", async () => {
    const url = await emptyDatabase();
    const db = await open(url);
    await sql`create table notes (id text)`.execute(db);

    await expect(startTestStore({ DATABASE_URL: url })).rejects.toThrow(
      /^DATABASE_URL: the database \S+ has a table, notes, but no store\. Give the store a database of its own$/,
    );
    const tables = await db.introspection.getTables();
    expect(tables.map(({ name }) => name)).toEqual(["notes"]);
  });
});

async function open(url: string): Promise<Db> {
  const { db, close } = await openDatabase(url);
  onTestFinished(close);
  return db;
}

async function newPostgresDatabase(): Promise<string> {
  const { db, close } = await openDatabase(postgres.url("postgres"));
  const name = `store_${randomUUID().replaceAll("-", "")}`;
  await sql`create database ${sql.id(name)}`.execute(db);
  await close();
  return postgres.url(name);
}

/** What a migration after this version may be: a new column with values made from old ones, and a new table. */
async function addNicknames(db: Kysely<unknown>): Promise<void> {
  await db.schema.alterTable("users").addColumn("nickname", "text").execute();
  await sql`update users set nickname = upper(full_name)`.execute(db);
  await sql`update users set nickname = 'ZOË FERNANDES' where id = 'zoe'`.execute(db);
  await db.schema
    .createTable("nicknames")
    .addColumn("user_id", "text", (c) => c.notNull().primaryKey().references("users.id"))
    .execute();
  await sql`insert into nicknames (user_id) select id from users`.execute(db);
}

/** Writes the old rows into every table, as far as it has their columns already. */
async function fill(db: Db): Promise<void> {
  const columns = await columnsOfTables(db);
  expect(Object.keys(columns).filter((table) => !rows[table])).toEqual([]);
  for (const [table, tableRows] of Object.entries(rows)) {
    const known = columns[table];
    if (!known) continue;
    if (SINGLE_ROWS.includes(table)) await sql`delete from ${sql.table(table)}`.execute(db);
    for (const row of tableRows) await insert(db, table, row, known);
  }
}

async function insert(
  db: Db,
  table: string,
  row: Record<string, unknown>,
  columns = Object.keys(row),
): Promise<void> {
  const names = sql.join(columns.map((column) => sql.id(column)));
  const values = sql.join(columns.map((column) => row[column]));
  await sql`insert into ${sql.table(table)} (${names}) values (${values})`.execute(db);
}

type Rows = Record<string, Record<string, unknown>[]>;

/** What every table holds, none of them empty; with `like`, only its tables and columns. */
async function everyRow(db: Db, like?: Rows): Promise<Rows> {
  const found: Rows = {};
  for (const [table, columns] of Object.entries(await columnsOfTables(db))) {
    const asked = like ? Object.keys(like[table]?.[0] ?? {}) : columns;
    if (asked.length === 0) continue;
    found[table] = await rowsOf(db, table, asked);
  }
  expect(Object.keys(found).filter((table) => found[table]?.length === 0)).toEqual([]);
  return found;
}

async function rowsOf(db: Db, table: string, columns: string[]): Promise<Record<string, unknown>[]> {
  const names = sql.join(columns.map((column) => sql.id(column)));
  const query = sql<Record<string, unknown>>`select ${names} from ${sql.table(table)} order by ${names}`;
  return (await query.execute(db)).rows;
}

/** The columns of the store's tables, each time in the same order. */
async function columnsOfTables(db: Db): Promise<Record<string, string[]>> {
  const tables = await db.introspection.getTables();
  return Object.fromEntries(
    tables.map(({ name, columns }) => [name, columns.map((column) => column.name).sort()]),
  );
}

/** The whole schema, every row, and which migrations have run. */
async function everything(db: Db) {
  const schema = isOnPostgres(db)
    ? sql`select relname as name, relkind as type, pg_get_indexdef(oid) as sql from pg_class
        where relnamespace = current_schema()::regnamespace order by 1`
    : sql`select name, type, sql from sqlite_schema order by name`;
  const tables = await columnsOfTables(db);
  const held: Rows = {};
  for (const [table, columns] of Object.entries(tables)) held[table] = await rowsOf(db, table, columns);
  return {
    schema: (await schema.execute(db)).rows,
    tables,
    held,
    migrations: (await sql`select * from kysely_migration`.execute(db)).rows,
  };
}

/** PostgreSQL keeps itself so. */
async function expectSound(db: Db): Promise<void> {
  if (isOnPostgres(db)) return;
  expect((await sql`pragma integrity_check`.execute(db)).rows).toEqual([{ integrity_check: "ok" }]);
  expect((await sql`pragma foreign_key_check`.execute(db)).rows).toEqual([]);
}

/** Starts today's server on the database and lets its student and its admin look at what they had. */
async function expectWorking(url: string): Promise<void> {
  const store = await tempStore({ DATABASE_URL: url, SEED_DEMO: "false" });
  const as = ({ email }: { email: string }) => visitorAs(store, { email, password: PASSWORD });
  await expectStudentSeesAll(await as(OLD_STUDENT));
  await expectAdminSeesOrder(await as(OLD_ADMIN));
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
  const order = await seenByStudent(student, OLD_ORDER.id);
  expect(order).toMatchObject({ pages: OLD_ORDER.pages, files: [{ name: "Notes.pdf" }] });
}

async function expectAdminSeesOrder(admin: ApiClient): Promise<void> {
  for (const search of [OLD_ORDER.number, "fernandes"]) {
    const { rows } = expectDone(await admin.query("board.page", { search, state: "all" }));
    expect(rows).toMatchObject([{ id: OLD_ORDER.id }]);
  }
  const order = await seenByStaff(admin, OLD_ORDER.id);
  expect(order).toMatchObject({ number: OLD_ORDER.number, state: "placed", copies: OLD_ORDER.copies });
}
