import { existsSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Kysely, sql } from "kysely";
import pg from "pg";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { MIGRATIONS, migrate, openMigrated } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { readConfig } from "#server/config.ts";
import { makeBackup, openToRead } from "../../scripts/backup/make-backup.ts";
import { moveStore } from "../../scripts/migrate-to-postgres/move-store.ts";
import { compareTable, readTables } from "../../scripts/migrate-to-postgres/rows.ts";
import { type PostgresServer, startPostgres } from "../setup/postgres-server.ts";
import { tempFolder } from "../setup/temporary.ts";
import { startTestStore, tempStore } from "../setup/test-store.ts";
import { refusalOf } from "./backup.scripts.ts";
import { fillFolder } from "./migrate-to-postgres.fill.ts";
import {
  changeSqlite,
  emptyDatabase,
  migrateToPostgres,
  postgresCounts,
  queryPostgres,
  sqliteCounts,
  tablesIn,
} from "./migrate-to-postgres.scripts.ts";

let server: PostgresServer;
/** A store with a hundred orders, without a running server. */
let dataDir: string;
/** A copy of the folder that has been moved. */
let old: string;
/** The database it was copied to, another like it, and the script's output. */
let moved: string;
let twin: string;
let report: string;
let databases = 0;
beforeAll(async () => {
  server = await startPostgres();
  dataDir = await mkdtemp(join(tmpdir(), "print-store-"));
  await fillFolder(dataDir, 100);
  moved = await newDatabase();
  old = await mkdtemp(join(tmpdir(), "print-store-"));
  await cp(dataDir, old, { recursive: true });
  report = await migrateToPostgres(old, moved);
  await queryPostgres(server.url("postgres"), "create database twin template target_1");
  twin = server.url("twin");
});
afterAll(async () => {
  await server.stop();
  for (const folder of [dataDir, old]) await rm(folder, { recursive: true, force: true });
});

function newDatabase(): Promise<string> {
  return emptyDatabase(server, `target_${++databases}`);
}

/** Moves the store in this folder in this process; the other tests show how the command reports it. */
function move(folder: string, url: string): Promise<unknown> {
  const path = join(folder, "store.sqlite");
  return moveStore({ path, url, isRunning: false, onCopied() {}, onCompared() {} });
}

/** A copy of the store, changed by hand. */
async function changedStore(change: string): Promise<string> {
  const folder = await tempFolder();
  await cp(join(dataDir, "store.sqlite"), join(folder, "store.sqlite"));
  changeSqlite(folder, change);
  return folder;
}

test("a stopped store is moved with every table, and the script prints the next steps", async () => {
  expect(await postgresCounts(moved)).toEqual(sqliteCounts(dataDir));
  for (const table of Object.keys(sqliteCounts(dataDir))) {
    expect(report).toMatch(new RegExp(`^${table} .* equal$`, "m"));
  }
  expect(report).toContain("nothing is missing. Start it with this address as DATABASE_URL");
});

test("the SQLite file of a moved store is refused until its mark is deleted", async () => {
  const path = join(old, "store.sqlite");
  const mark = `${path}.moved`;
  const refusal = `DATABASE_URL: the store of ${path} has moved to PostgreSQL; set it to its address there. To go back to this file, delete ${mark}`;
  const backup = makeBackup(join(old, "backup"), readConfig({ DATA_DIR: old }));
  await expect(backup).rejects.toThrow(refusal);
  expect(await refusalOf(migrateToPostgres(old, await newDatabase()))).toBe(
    `Nothing was moved: ${refusal}\n`,
  );
  await expect(openMigrated(`file:${path}`)).rejects.toThrow(refusal);
  await expect(startTestStore({ DATA_DIR: old, DATABASE_URL: `file:${path}` })).rejects.toThrow(refusal);
  const onPostgres = await startTestStore({ DATA_DIR: old, DATABASE_URL: moved });
  await onPostgres.stop();

  await rm(mark);
  await (await openMigrated(`file:${path}`)).close();
});

test("a store on PostgreSQL does not start in a folder without its secret, and loses nothing that the secret seals", async () => {
  const [DATABASE_URL, DATA_DIR, elsewhere] = [await newDatabase(), await tempFolder(), await tempFolder()];
  const first = await startTestStore({ DATABASE_URL, DATA_DIR });
  const { pushPublicKey } = first.deps;
  await first.stop();

  await expect(startTestStore({ DATABASE_URL, DATA_DIR: elsewhere })).rejects.toThrow(
    `DATA_DIR: the secret of this store is not in ${elsewhere}. Give the store its own folder, or a SECRET`,
  );
  expect(existsSync(join(elsewhere, "secret"))).toBe(false);

  const again = await tempStore({ DATABASE_URL, DATA_DIR });
  expect(again.deps.pushPublicKey).toBe(pushPublicKey);
});

test("a moved store has the same keys, checks, indexes and triggers as a new store on PostgreSQL", async () => {
  const fresh = await newDatabase();
  const { db, close } = await openDatabase(fresh);
  await migrate(db);
  await close();
  const rules = await rulesOf(fresh);
  expect(rules.filter((rule) => rule.includes("FOREIGN KEY")).length).toBeGreaterThan(30);
  expect(await rulesOf(moved)).toEqual(rules);
});

async function rulesOf(url: string): Promise<string[]> {
  const rows = await queryPostgres<{ rule: string }>(
    url,
    `select conrelid::regclass || ': ' || pg_get_constraintdef(oid) as rule
      from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all select pg_get_triggerdef(oid) || tgenabled::text from pg_trigger where not tgisinternal
    order by rule`,
  );
  return rows.map(({ rule }) => rule);
}

test("a table added by a later migration is copied too, with any text", async () => {
  const texts = ["", "\\N", "\\.", "tab\tline\nreturn\rback\\slash", "\\t\\n", "ਪੰਜਾਬੀ 🖨️", " '\";-- "];
  const migrations = { ...MIGRATIONS, "9999-shelves": { up: createShelves } };
  const folder = await tempFolder();
  const path = join(folder, "store.sqlite");
  const database = await openDatabase(`file:${path}`);
  await migrate(database.db, migrations);
  for (const [row, text] of texts.entries()) {
    await sql`insert into shelves values (${row % 2}, ${row}, ${text}, null, ${2n ** 62n})`.execute(
      database.db,
    );
  }
  await database.close();
  const url = await newDatabase();

  await moveStore({ path, url, isRunning: false, migrations, onCopied() {}, onCompared() {} });

  const rows = await queryPostgres(url, "select * from shelves order by place");
  expect(rows.map(({ label }) => label)).toEqual(texts);
  expect(rows[0]).toEqual({ floor: "0", place: "0", label: "", note: null, size: String(2n ** 62n) });
});

async function createShelves(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .createTable("shelves")
    .addColumn("floor", "integer", (c) => c.notNull())
    .addColumn("place", "integer", (c) => c.notNull())
    .addColumn("label", "text", (c) => c.notNull())
    .addColumn("note", "text")
    .addColumn("size", "integer")
    .addPrimaryKeyConstraint("shelves_key", ["floor", "place"])
    .execute();
}

test("a copy is discarded if something other than a server has changed the store meanwhile", async () => {
  const folder = await changedStore("select 1");
  const path = join(folder, "store.sqlite");
  const plan = { path, url: await newDatabase(), onCompared() {} };
  const onCopied = (table: string) => {
    if (table === "orders") changeSqlite(folder, "update shops set name = name || '!'");
  };

  await expect(moveStore({ ...plan, isRunning: false, onCopied })).rejects.toThrow(
    "Something other than a server has changed the SQLite file meanwhile. Try again",
  );
  expect(await tablesIn(plan.url)).toEqual([]);
  expect(existsSync(`${path}.moved`)).toBe(false);
  expect(await moveStore({ ...plan, isRunning: true, onCopied })).toMatchObject({ hasChanged: true });
  expect(existsSync(`${path}.moved`)).toBe(false);
});

test("one changed value is found in its table, although the row counts are equal", async () => {
  await queryPostgres(
    twin,
    "update orders set total_paise = total_paise + 1 where id = (select max(id) from orders)",
  );
  const source = openToRead(join(dataDir, "store.sqlite"));
  const client = new pg.Client(twin);
  await client.connect();
  onTestFinished(async () => {
    source.close();
    await client.end();
  });

  const tables = await readTables(client);
  const comparisons = [];
  for (const table of tables) comparisons.push(await compareTable(source, client, table));

  const different = comparisons.filter(({ isEqual }) => !isEqual);
  expect(different.map(({ table }) => table)).toEqual(["orders"]);
  expect(different[0]?.postgres.rows).toBe(different[0]?.sqlite.rows);
});

test("an unequal copy is discarded, and the script names the table that differs", async () => {
  const url = await newDatabase();
  await queryPostgres(url, SPOIL);

  const outcome = await migrateToPostgres(dataDir, url).catch((error) => error);

  expect(outcome.code).toBe(1);
  expect(outcome.stdout).toMatch(/^store_facts .* DIFFERENT: 1 rows, [0-9a-f]{16} in PostgreSQL$/m);
  expect(outcome.stderr).toBe("Nothing was moved: The copy is not equal: store_facts\n");
  expect(await tablesIn(url)).toEqual([]);
});

/** Makes PostgreSQL change the store's facts whenever a table is altered, which happens after the copy. */
const SPOIL = `
  create function spoil() returns event_trigger language plpgsql as $$
  begin
    if to_regclass('store_facts') is not null then update store_facts set value = value || '!'; end if;
  end $$;
  create event trigger spoil on ddl_command_end when tag in ('ALTER TABLE') execute function spoil()`;

test("a copy that PostgreSQL does not commit leaves the store where it was", async () => {
  const folder = await changedStore("select 1");
  const url = await newDatabase();
  await queryPostgres(url, REFUSE_COMMIT);

  await expect(move(folder, url)).rejects.toThrow("no commit today");
  expect(await tablesIn(url)).toEqual([]);
  await (await openMigrated(`file:${join(folder, "store.sqlite")}`)).close();
});

/** Makes PostgreSQL refuse the copy at its end, by a check that it puts off until then. */
const REFUSE_COMMIT = `
  create function refuse() returns trigger language plpgsql as $$ begin raise 'no commit today'; end $$;
  create function check_late() returns event_trigger language plpgsql as $$
  begin
    if to_regclass('store_facts') is null then return; end if;
    if not exists (select from pg_trigger where tgname = 'late') then
      create constraint trigger late after update on store_facts
        deferrable initially deferred for each row execute function refuse();
    end if;
    update store_facts set value = value;
  end $$;
  create event trigger check_late on ddl_command_end when tag in ('ALTER TABLE') execute function check_late()`;

test("a database that is not empty is refused and stays unchanged", async () => {
  const before = await postgresCounts(moved);
  await expect(move(dataDir, moved)).rejects.toThrow(
    "The PostgreSQL database holds a store already. Give the store an empty one",
  );
  expect(await postgresCounts(moved)).toEqual(before);

  const other = await newDatabase();
  await queryPostgres(other, "create table theses (title text)");
  expect(await refusalOf(migrateToPostgres(dataDir, other))).toContain("holds a table, theses, already");
  expect(await tablesIn(other)).toEqual(["theses"]);
});

test("a database in use by a server, or one that cannot be reached, is refused", async () => {
  const url = await newDatabase();
  const { cluster, close } = await openDatabase(url);
  onTestFinished(close);
  await cluster?.join({ alone: false });

  await expect(move(dataDir, url)).rejects.toThrow(/^A server uses [^\n]*$/);
  await expect(move(dataDir, "postgres://postgres@127.0.0.1:9/store")).rejects.toThrow(
    /^DATABASE_URL: no connection to PostgreSQL: [^\n]*ECONNREFUSED[^\n]*$/,
  );
});

const STORES: [what: string, change: string, reason: RegExp][] = [
  [
    "that newer code has migrated",
    "insert into kysely_migration values ('9999-later', '')",
    /newer than this code: it has had the migration 9999-later$/,
  ],
  [
    "that is behind this code",
    "delete from kysely_migration",
    /older than this code: it has not had the migration 0001-store\. Start this server/,
  ],
  [
    "with a table of its own",
    "create table theses (title text) strict",
    /has a table that the store does not know: theses$/,
  ],
  [
    "with a column of its own",
    "alter table users add column nickname text",
    /the table users does not have the store's columns$/,
  ],
  [
    "with a NUL character",
    "update orders set message = 'page' || char(0) || '2', number = 'NUL' where id = (select min(id) from orders)",
    /cannot hold a NUL character: one is in orders\.message, in the row where id = '[0-9a-f-]{36}'/,
  ],
  [
    "in which a row refers to nothing",
    "pragma foreign_keys = off; delete from shops where id = (select min(shop_id) from orders)",
    /The database is damaged: a row of \w+ refers to one of shops/,
  ],
];

test.each(STORES)(
  "a store %s is refused for a reason of one line, and nothing is left of it",
  async (_what, change, reason) => {
    const folder = await changedStore(change);
    const url = await newDatabase();

    const refusal = await move(folder, url).catch(String);

    expect(refusal).toMatch(/^Error: [^\n]+$/);
    expect(refusal).toMatch(reason);
    expect(await tablesIn(url)).toEqual([]);
  },
);

test("a folder without a store is refused", async () => {
  const url = await newDatabase();
  const folder = await tempFolder();
  expect(await refusalOf(migrateToPostgres(folder, url))).toMatch(
    /^Nothing was moved: There is no database at [^\n]+\n$/,
  );
  await writeFile(join(folder, "store.sqlite"), "a thesis, not a database".repeat(100));
  await expect(move(folder, url)).rejects.toThrow(/^There is no store in [^\n]+$/);
  expect(await refusalOf(migrateToPostgres(folder, url, { DATABASE_URL: url }))).toBe(
    "Nothing was moved: DATABASE_URL: the store is on PostgreSQL already\n",
  );
  expect(await refusalOf(migrateToPostgres(dataDir, "mysql://localhost/store"))).toBe(
    "Nothing was moved: the address must begin with postgres:// or postgresql://\n",
  );
});
