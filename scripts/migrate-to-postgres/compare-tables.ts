import { createHash, hash } from "node:crypto";
import type Sqlite from "better-sqlite3";
import type pg from "pg";
import { to as copyTo } from "pg-copy-streams";
import { inBatches } from "./batches.ts";
import { quote, selectPlainRows, selectRowHashes } from "./row-text.ts";
import type { StoreTable } from "./store-tables.ts";

/** What a table is known by: two with the same rows have the same. */
export interface Fingerprint {
  rows: number;
  /** SHA-256 of the SHA-256 of each row, in the order of the key. */
  sha256: string;
}

export interface Comparison {
  table: string;
  sqlite: Fingerprint;
  postgres: Fingerprint;
  isEqual: boolean;
}

/** Reads a table whole on both sides, each with the engine's own means and none of those that copied it. */
export async function compareTable(
  source: Sqlite.Database,
  client: pg.Client,
  table: StoreTable,
): Promise<Comparison> {
  const postgres = await postgresFingerprint(client, table);
  const sqlite = sqliteFingerprint(source, table);
  const isEqual = sqlite.rows === postgres.rows && sqlite.sha256 === postgres.sha256;
  return { table: table.name, sqlite, postgres, isEqual };
}

function sqliteFingerprint(source: Sqlite.Database, table: StoreTable): Fingerprint {
  const all = createHash("sha256");
  for (const hashes of inBatches(sqliteRowHashes(source, table))) all.update(hashes);
  const rows = source.prepare<[], number>(countRows(table)).pluck().get() ?? 0;
  return { rows, sha256: all.digest("hex") };
}

function* sqliteRowHashes(source: Sqlite.Database, table: StoreTable): Generator<string> {
  const rows = source.prepare<[], string>(selectPlainRows(table)).pluck().iterate();
  for (const row of rows) yield `${hash("sha256", row)}\n`;
}

async function postgresFingerprint(client: pg.Client, table: StoreTable): Promise<Fingerprint> {
  const all = createHash("sha256");
  for await (const hashes of client.query(copyTo(`copy (${selectRowHashes(table)}) to stdout`))) {
    all.update(hashes);
  }
  const { rows } = await client.query(countRows(table));
  return { rows: Number(rows[0].count), sha256: all.digest("hex") };
}

function countRows({ name }: StoreTable): string {
  return `select count(*) as count from ${quote(name)}`;
}
