import { existsSync } from "node:fs";
import { type Kysely, PostgresAdapter } from "kysely";
import type { Schema } from "./schema.ts";

export type Db = Kysely<Schema>;

export interface Database {
  /** Reads and writes. On SQLite one connection, so a query waits for the transaction before it. */
  db: Db;
  /** Reads only, never waiting for a writer; sees what is committed. */
  readDb: Db;
  /** A number that changes with every commit through `db`, so that a cache can tell whether it is still fresh. */
  commitMark(): number;
  /** How servers that share a PostgreSQL database coordinate. Null on SQLite, which one server uses. */
  cluster: Cluster | null;
  close(): Promise<void>;
}

export interface Cluster {
  /**
   * Registers this server on the database until it is closed; with `alone` as the only one. Returns false where other
   * servers, or one that is alone, do not allow it. A lost connection is made and registered again.
   */
  join(options: { alone: boolean }): Promise<boolean>;
  /** Calls `listener` when any server has written to `live_events`, and whenever a notification may have been missed. */
  onLiveEvents(listener: () => void): void;
}

export interface DatabaseOptions {
  /** Most connections to PostgreSQL. */
  poolSize?: number | undefined;
  /** How long one statement may take on PostgreSQL; migrations have no limit. */
  statementMs?: number | undefined;
  /** How long a write to a SQLite file waits while another process holds its lock. */
  busyMs?: number | undefined;
}

/**
 * Opens the database of a URL: `file:` and a path is SQLite, whose file and folder are created where they are missing;
 * `postgres:` is PostgreSQL. The other driver is not loaded.
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  if (isPostgresUrl(url)) return (await import("./postgres/open.ts")).openPostgres(url, options);
  if (!url.startsWith("file:")) throw new Error("DATABASE_URL must begin with file: or postgres:");
  return (await import("./sqlite/open.ts")).openSqlite(databasePath(url), options);
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

/** Whether an open database, or a transaction in it, is on PostgreSQL. */
export function isOnPostgres(db: Pick<Db, "getExecutor">): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** The file of a SQLite database's URL. Throws for one of PostgreSQL, which has no file, and where the store has moved there. */
export function databasePath(url: string): string {
  if (!url.startsWith("file:"))
    throw new Error(
      "DATABASE_URL: this works on a SQLite file only; PostgreSQL has tools of its own (pg_dump)",
    );
  const path = url.slice("file:".length);
  const mark = movedMark(path);
  if (existsSync(mark))
    throw new Error(
      `DATABASE_URL: the store of ${path} has moved to PostgreSQL; set it to its address there. To go back to this file, delete ${mark}`,
    );
  return path;
}

/** The file that marks a SQLite database as an old one, because its store has moved to PostgreSQL. */
export function movedMark(path: string): string {
  return `${path}.moved`;
}
