import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { constants, copyFile, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { startPostgres } from "./postgres-server.ts";

/** A migrated database, which each test copies. */
const TEMPLATE = "template_store";

const SQLITE_FILE = "store.sqlite";

/** Vitest's global setup for the suites on PostgreSQL, which share one server. Returns the teardown. */
export async function setup(): Promise<undefined | (() => Promise<void>)> {
  if (process.env.TEST_POSTGRES_URL) return undefined;
  const server = await startPostgres();
  process.env.TEST_POSTGRES_URL = server.url("postgres");
  await onServer(server.url("postgres"), (client) => client.query(`create database ${TEMPLATE}`));
  await fillTemplate(server.url(TEMPLATE));
  return () => server.stop();
}

/**
 * The DATABASE_URL for a store in this data folder, the same at each start: a SQLite file in it or, in the suites on
 * PostgreSQL, a database of its own.
 */
export async function databaseUrlFor(dataDir: string): Promise<string> {
  const server = postgresUrl();
  if (!server) return `file:${join(dataDir, SQLITE_FILE)}`;
  const name = databaseName(dataDir);
  await onServer(server, async (client) => {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    if (!rowCount) await client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  });
  return server.replace(/[^/]+$/, name);
}

/** Like `databaseUrlFor`, but a new SQLite file is a copy of one that each process migrates once. */
export async function migratedDatabaseUrlFor(dataDir: string): Promise<string> {
  const url = await databaseUrlFor(dataDir);
  if (!postgresUrl()) {
    sqliteTemplate ??= makeSqliteTemplate();
    const copying = copyFile(await sqliteTemplate, join(dataDir, SQLITE_FILE), constants.COPYFILE_EXCL);
    await copying.catch(unlessThere);
  }
  return url;
}

let sqliteTemplate: Promise<string> | undefined;

async function makeSqliteTemplate(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "print-store-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, SQLITE_FILE);
  await fillTemplate(`file:${path}`);
  return path;
}

/** Turns an empty database into the template that each test copies. */
async function fillTemplate(url: string): Promise<void> {
  const { db, close } = await openDatabase(url);
  await migrate(db);
  await close();
}

/** Ignores an existing file, of an earlier start, and a missing data folder, which the store creates itself. */
function unlessThere(error: NodeJS.ErrnoException): void {
  if (error.code !== "EEXIST" && error.code !== "ENOENT") throw error;
}

/** The DATABASE_URL of a PostgreSQL database without any tables. */
export async function emptyDatabaseUrlFor(dataDir: string): Promise<string> {
  const server = postgresUrl();
  if (!server) throw new Error("These tests do not run on PostgreSQL");
  const name = databaseName(dataDir);
  await onServer(server, (client) => client.query(`create database ${name}`));
  return server.replace(/[^/]+$/, name);
}

/** Deletes what the functions above created outside the data folder. */
export async function dropDatabaseOf(dataDir: string): Promise<void> {
  const server = postgresUrl();
  if (!server) return;
  const name = databaseName(dataDir);
  await onServer(server, (client) => client.query(`drop database if exists ${name} with (force)`));
}

/** The URL of the maintenance database, in suites that run on PostgreSQL. */
export function postgresUrl(): string | undefined {
  return process.env.TEST_DATABASE === "postgres" ? process.env.TEST_POSTGRES_URL : undefined;
}

function databaseName(dataDir: string): string {
  return `store_${createHash("sha256").update(dataDir).digest("hex").slice(0, 24)}`;
}

/** Connects to the database at `url` while `act` runs. */
export async function onServer(url: string, act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}
