import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { constants, copyFile, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { Db } from "#db/database.ts";
import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { readConfig } from "#server/config.ts";
import { prepareStore } from "#server/first-run.ts";
import { startPostgres } from "./postgres-server.ts";

/** Databases that tests copy: a migrated one, and one in which a store has started, with demo shops and an admin. */
const TEMPLATES = {
  migrated: async (db: Db) => void (await migrate(db)),
  started: async (db: Db) => {
    await migrate(db);
    await prepareStore({ db, now: () => new Date(), config: readConfig({}) });
  },
};
type Template = keyof typeof TEMPLATES;

const SQLITE_FILE = "store.sqlite";

/** Vitest's global setup for the suites on PostgreSQL, which share one server. Returns the teardown. */
export async function setup(): Promise<undefined | (() => Promise<void>)> {
  if (process.env.TEST_POSTGRES_URL) return undefined;
  const server = await startPostgres();
  process.env.TEST_POSTGRES_URL = server.url("postgres");
  for (const template of Object.keys(TEMPLATES) as Template[]) {
    await onServer(server.url("postgres"), (client) => client.query(`create database ${template}`));
    await fillTemplate(server.url(template), template);
  }
  return () => server.stop();
}

/**
 * The DATABASE_URL for a store in this data folder, the same at each start: a SQLite file in it or, in the suites on
 * PostgreSQL, a database of its own.
 */
export async function databaseUrlFor(dataDir: string, template: Template = "migrated"): Promise<string> {
  const server = postgresUrl();
  if (!server) return `file:${join(dataDir, SQLITE_FILE)}`;
  const name = databaseName(dataDir);
  await onServer(server, async (client) => {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    if (!rowCount) await client.query(`create database ${name} template ${template} strategy file_copy`);
  });
  return server.replace(/[^/]+$/, name);
}

/** Like `databaseUrlFor`, but a new SQLite file is a copy of one that each process makes once. */
export async function copiedDatabaseUrlFor(dataDir: string, template: Template): Promise<string> {
  const url = await databaseUrlFor(dataDir, template);
  if (!postgresUrl()) {
    const original = sqliteTemplates.get(template) ?? makeSqliteTemplate(template);
    sqliteTemplates.set(template, original);
    const copying = copyFile(await original, join(dataDir, SQLITE_FILE), constants.COPYFILE_EXCL);
    await copying.catch(unlessThere);
  }
  return url;
}

/** A copy of a migrated database. */
export function migratedDatabaseUrlFor(dataDir: string): Promise<string> {
  return copiedDatabaseUrlFor(dataDir, "migrated");
}

const sqliteTemplates = new Map<Template, Promise<string>>();

async function makeSqliteTemplate(template: Template): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "print-store-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, SQLITE_FILE);
  await fillTemplate(`file:${path}`, template);
  return path;
}

/** Turns an empty database into one that tests copy. */
async function fillTemplate(url: string, template: Template): Promise<void> {
  const { db, close } = await openDatabase(url);
  await TEMPLATES[template](db);
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
