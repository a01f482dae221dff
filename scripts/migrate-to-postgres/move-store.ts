import { rmSync, writeFileSync } from "node:fs";
import Sqlite from "better-sqlite3";
import { Kysely } from "kysely";
import pg from "pg";
import type { Db } from "#db/database.ts";
import { MIGRATIONS, migrate, mismatchOf } from "#db/migrate.ts";
import { movedMark, openDatabase } from "#db/open.ts";
import { StorePostgresDialect } from "#db/postgres/dialect.ts";
import type { Schema } from "#db/schema.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { checkDatabase, openToRead, readMigrations } from "../backup/make-backup.ts";
import { type Comparison, compareTable, copyRows, quote, readTables, type StoreTable } from "./rows.ts";

/** What to copy where, and callbacks for the progress. */
export interface Move {
  /** The store's SQLite file. */
  path: string;
  /** The address of an empty PostgreSQL database. */
  url: string;
  /** Whether a server may write to the file meanwhile; if not, the file is marked as moved. */
  isRunning: boolean;
  onCopied(table: string, rows: number): void;
  onCompared(comparison: Comparison): void;
  migrations?: typeof MIGRATIONS;
}

/**
 * Copies a snapshot of a store's SQLite file into an empty PostgreSQL database and compares the two, in one transaction.
 * If anything fails or differs, it throws and the database stays empty.
 */
export async function moveStore(move: Move): Promise<{ takenAt: Date; hasChanged: boolean }> {
  const { path, url, migrations = MIGRATIONS } = move;
  const target = await openTarget(url);
  try {
    const snapshot = takeSnapshot(path, migrations);
    try {
      const hasChanged = await transact(target.db, (trx) => fill(trx, target, snapshot, move)).catch(
        (error: unknown) => {
          rmSync(movedMark(path), { force: true });
          throw error;
        },
      );
      return { takenAt: snapshot.takenAt, hasChanged };
    } finally {
      snapshot.close();
    }
  } finally {
    await target.close();
  }
}

/** Returns whether the store has changed since the snapshot. */
async function fill(trx: Trx, { client }: Target, snapshot: Snapshot, move: Move): Promise<boolean> {
  await migrate(trx, move.migrations);
  const tables = await readTables(client);
  refuseOtherTables(snapshot, tables);
  const restoreForeignKeys = await dropForeignKeys(client);
  for (const table of tables) {
    move.onCopied(table.name, await copyRows(snapshot.database, client, table));
  }
  await restoreForeignKeys();
  const different: string[] = [];
  for (const table of tables) {
    const comparison = await compareTable(snapshot.database, client, table);
    if (!comparison.isEqual) different.push(table.name);
    move.onCompared(comparison);
  }
  if (different.length > 0) throw new Error(`The copy is not equal: ${different.join(", ")}`);
  await client.query("analyze");
  const { hasChanged } = snapshot.end();
  if (hasChanged && !move.isRunning)
    throw new Error("Something other than a server has changed the SQLite file meanwhile. Try again");
  if (!move.isRunning) writeFileSync(movedMark(move.path), "");
  return hasChanged;
}

/** An empty PostgreSQL database that no server uses. */
interface Target {
  /** The only connection: a transaction that `db` has begun includes the queries of `client`. */
  client: pg.Client;
  db: Db;
  close(): Promise<void>;
}

/** Throws if the database cannot be reached, is used by a server, or is not empty. */
async function openTarget(url: string): Promise<Target> {
  const servers = await openDatabase(url);
  const client = new pg.Client({ connectionString: url, application_name: "print-store", keepAlive: true });
  // A connection that breaks emits `end` too, and waiting queries reject.
  client.on("error", () => {});
  const close = async () => {
    await client.end();
    await servers.close();
  };
  try {
    await joinAlone(servers);
    await client.connect();
    await refuseUnlessEmpty(client);
    return { client, db: overOne(client), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function joinAlone({ cluster }: Awaited<ReturnType<typeof openDatabase>>): Promise<void> {
  if (!(await cluster?.join({ alone: true })))
    throw new Error("A server uses the PostgreSQL database. Give the store an empty one");
}

function overOne(client: pg.Client): Db {
  const connection = Object.assign(client, { release() {} });
  const pool = { connect: async () => connection, end: async () => {}, options: {} };
  return new Kysely<Schema>({ dialect: new StorePostgresDialect({ pool }) });
}

async function refuseUnlessEmpty(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ name: string }>(
    "select relname as name from pg_class where relkind in ('r', 'p') and relnamespace = current_schema()::regnamespace",
  );
  if (rows.length === 0) return;
  const what = rows.some(({ name }) => name === "store_facts") ? "a store" : `a table, ${rows[0]?.name},`;
  throw new Error(`The PostgreSQL database holds ${what} already. Give the store an empty one`);
}

/**
 * Drops every foreign key, so that tables can be filled in any order, and returns a function that adds them again.
 * PostgreSQL then checks all rows at once, which is much faster than one by one.
 */
async function dropForeignKeys(client: pg.Client): Promise<() => Promise<void>> {
  const { rows } = await client.query<{ table: string; name: string; definition: string }>(`
    select c.relname as table, k.conname as name, pg_get_constraintdef(k.oid) as definition
    from pg_constraint k join pg_class c on c.oid = k.conrelid
    where k.contype = 'f' and k.connamespace = current_schema()::regnamespace`);
  const alter = (table: string, change: string) => client.query(`alter table ${quote(table)} ${change}`);
  for (const { table, name } of rows) await alter(table, `drop constraint ${quote(name)}`);
  return async () => {
    for (const { table, name, definition } of rows) {
      await alter(table, `add constraint ${quote(name)} ${definition}`);
    }
  };
}

const CACHE_KIB = 256 * 1024;

/** A read transaction on the SQLite file: later writes are not seen in it. */
interface Snapshot {
  database: Sqlite.Database;
  takenAt: Date;
  /** Ends it and returns whether anything has been written since. */
  end(): { hasChanged: boolean };
  close(): void;
}

/** Throws unless the file is an undamaged store with exactly these migrations. */
function takeSnapshot(path: string, migrations: typeof MIGRATIONS): Snapshot {
  const database = openToRead(path);
  try {
    database.exec("begin");
    const mismatch = mismatchOf(migrationsOf(database, path), migrations);
    if (mismatch) throw new Error(`The store ${mismatch}`);
    database.pragma(`cache_size = -${CACHE_KIB}`);
    const takenAt = new Date();
    const version = dataVersion(database);
    checkDatabase(database);
    return {
      database,
      takenAt,
      end() {
        database.exec("commit");
        return { hasChanged: dataVersion(database) !== version };
      },
      close: () => database.close(),
    };
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Throws if the tables and columns are not exactly those that the migrations create. */
function refuseOtherTables({ database }: Snapshot, tables: StoreTable[]): void {
  const names = database
    .prepare<[], string>("select name from sqlite_schema where type = 'table' and name not glob 'sqlite_*'")
    .pluck()
    .all()
    .filter((name) => !name.startsWith("kysely_"));
  const known = new Map(tables.map((table) => [table.name, table.columns]));
  const stranger = names.find((name) => !known.has(name));
  if (stranger) throw new Error(`The SQLite file has a table that the store does not know: ${stranger}`);
  for (const [name, columns] of known) {
    const there = database.pragma(`table_info(${quote(name)})`) as { name: string }[];
    const isSame = there.length === columns.length && there.every((column) => columns.includes(column.name));
    if (!isSame) throw new Error(`In the SQLite file the table ${name} does not have the store's columns`);
  }
}

function migrationsOf(database: Sqlite.Database, path: string): string[] {
  try {
    return readMigrations(database);
  } catch (error) {
    if (!(error instanceof Sqlite.SqliteError) || error.code.startsWith("SQLITE_BUSY")) throw error;
    throw new Error(`There is no store in ${path}: ${error.message}`);
  }
}

function dataVersion(database: Sqlite.Database): unknown {
  return database.pragma("data_version", { simple: true });
}
