import { createHash } from "node:crypto";
import { join } from "node:path";
import pg from "pg";

/** Migrated, so that each test's own is a copy of it. */
export const TEMPLATE = "template_store";

/**
 * The DATABASE_URL for a store in this data folder, the same for each start there: a SQLite file in it, or, in the
 * suites that run on PostgreSQL, a database of its own.
 */
export async function databaseUrlFor(dataDir: string): Promise<string> {
  const server = postgresUrl();
  if (!server) return `file:${join(dataDir, "store.sqlite")}`;
  const name = databaseName(dataDir);
  await onServer(server, async (client) => {
    const { rowCount } = await client.query("select from pg_database where datname = $1", [name]);
    if (!rowCount) await client.query(`create database ${name} template ${TEMPLATE} strategy file_copy`);
  });
  return server.replace(/[^/]+$/, name);
}

/** The DATABASE_URL of a database on PostgreSQL in which nothing is yet, not even a table. */
export async function emptyDatabaseUrlFor(dataDir: string): Promise<string> {
  const server = postgresUrl();
  if (!server) throw new Error("These tests do not run on PostgreSQL");
  const name = databaseName(dataDir);
  await onServer(server, (client) => client.query(`create database ${name}`));
  return server.replace(/[^/]+$/, name);
}

/** Throws away what the two above made outside of the data folder. */
export async function dropDatabaseOf(dataDir: string): Promise<void> {
  const server = postgresUrl();
  if (!server) return;
  const name = databaseName(dataDir);
  await onServer(server, (client) => client.query(`drop database if exists ${name} with (force)`));
}

/** Where these tests run on PostgreSQL, the address of its maintenance database. */
export function postgresUrl(): string | undefined {
  return process.env.TEST_DATABASE === "postgres" ? process.env.TEST_POSTGRES_URL : undefined;
}

function databaseName(dataDir: string): string {
  return `store_${createHash("sha256").update(dataDir).digest("hex").slice(0, 24)}`;
}

async function onServer(url: string, act: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    await act(client);
  } finally {
    await client.end();
  }
}
