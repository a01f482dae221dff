import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import Sqlite from "better-sqlite3";
import pg from "pg";
import type { PostgresServer } from "../setup/postgres-server.ts";
import { BARE_ENVIRONMENT } from "../setup/spawned-server.ts";

const run = promisify(execFile);
const script = join(import.meta.dirname, "../../scripts/migrate-to-postgres.ts");

/** Copies a data folder to PostgreSQL with the operator's script; returns its output. */
export async function migrateToPostgres(
  dataDir: string,
  url: string,
  env: Record<string, string> = {},
): Promise<string> {
  const { stdout } = await run(process.execPath, [script, url], { env: settings(dataDir, env) });
  return stdout;
}

/** The same, killed as soon as it prints these words. */
export async function migrateKilledAt(words: string, dataDir: string, url: string): Promise<void> {
  const child = spawn(process.execPath, [script, url], {
    env: settings(dataDir),
    stdio: ["ignore", "pipe", "ignore"],
  });
  await said(child, words);
  child.kill("SIGKILL");
  await once(child, "exit");
}

async function said({ stdout }: ChildProcess, words: string): Promise<void> {
  if (stdout) for await (const line of createInterface(stdout)) if (line.includes(words)) return;
  throw new Error(`The script ended before it said ${words}`);
}

function settings(dataDir: string, env: Record<string, string> = {}) {
  return { ...BARE_ENVIRONMENT, DATA_DIR: dataDir, ...env };
}

/** The URL of a new empty database. */
export async function emptyDatabase(server: PostgresServer, name: string): Promise<string> {
  await queryPostgres(server.url("postgres"), `create database ${name}`);
  return server.url(name);
}

export async function queryPostgres<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The tables in a PostgreSQL database. */
export async function tablesIn(url: string): Promise<string[]> {
  const rows = await queryPostgres<{ name: string }>(
    url,
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  return rows.map(({ name }) => name);
}

/** The number of other connections to a PostgreSQL database. */
export async function sessionsOn(url: string): Promise<number | undefined> {
  const [row] = await queryPostgres<{ count: number }>(
    url,
    `select count(*)::int as count from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`,
  );
  return row?.count;
}

/** The number of rows in each table of a data folder's SQLite file, without the migrator's tables. */
export function sqliteCounts(dataDir: string): Record<string, number> {
  const database = new Sqlite(join(dataDir, "store.sqlite"), { readonly: true });
  try {
    const tables = database
      .prepare<[], string>("select name from pragma_table_list where schema = 'main' and strict = 1")
      .pluck()
      .all();
    return Object.fromEntries(tables.sort().map((table) => [table, countOf(database, table)]));
  } finally {
    database.close();
  }
}

function countOf(database: Sqlite.Database, table: string): number {
  return database.prepare<[], number>(`select count(*) from ${table}`).pluck().get() ?? 0;
}

/** The same for a PostgreSQL database. */
export async function postgresCounts(url: string): Promise<Record<string, number>> {
  const tables = (await tablesIn(url)).filter((table) => !table.startsWith("kysely_"));
  const counts = tables.map((table) => `(select count(*)::int from ${table}) as ${table}`);
  const [row] = await queryPostgres<Record<string, number>>(url, `select ${counts.join(", ")}`);
  return row ?? {};
}

/** Changes a data folder's SQLite file by hand. */
export function changeSqlite(dataDir: string, sql: string): void {
  const database = new Sqlite(join(dataDir, "store.sqlite"));
  database.exec(sql);
  database.close();
}
