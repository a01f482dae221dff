import { type Kysely, PostgresAdapter } from "kysely";
import type { Schema } from "./schema.ts";

export type Db = Kysely<Schema>;

export interface Database {
  /** Reads and writes. On SQLite one connection, so a query waits for the transaction before it. */
  db: Db;
  /** Reads only, never waiting for a writer; sees what is committed. */
  readDb: Db;
  /**
   * Differs from what it was once a transaction has been committed through `db`. It costs nothing.
   */
  commitMark(): number;
  /** What several servers on one database need of it. Null on SQLite, where there is one server. */
  cluster: Cluster | null;
  close(): Promise<void>;
}

export interface Cluster {
  /**
   * Joins the servers on this database until it is closed. `alone`: no other may be there. False: they are there, or
   * one of them is alone. Whatever happens to the connection, it is made again, and the place with it.
   */
  join(options: { alone: boolean }): Promise<boolean>;
  /** Calls `hear` when any server has written to the queue's log, and whenever that may have been missed. */
  onQueueLog(hear: () => void): void;
}

export interface DatabaseOptions {
  /** Connections to PostgreSQL at most. */
  poolSize?: number | undefined;
  /** How long PostgreSQL may take over one statement, but for those of migrations. */
  statementMs?: number | undefined;
  /** How long what writes to a SQLite file waits for another process that holds its lock. */
  busyMs?: number | undefined;
}

/**
 * Opens the database of a URL: `file:` and a path is SQLite, whose file and folder are created where they are missing;
 * `postgres:` is PostgreSQL. Only the engine that is asked for is loaded.
 */
export async function openDatabase(url: string, options: DatabaseOptions = {}): Promise<Database> {
  if (isPostgresUrl(url)) return (await import("./postgres/open.ts")).openPostgres(url, options);
  if (!url.startsWith("file:")) throw new Error("DATABASE_URL must begin with file: or postgres:");
  return (await import("./sqlite/open.ts")).openSqlite(databasePath(url), options);
}

export function isPostgresUrl(url: string): boolean {
  return /^postgres(ql)?:\/\//.test(url);
}

/** The same of a database that is open, and of a transaction in it. */
export function isOnPostgres(db: Pick<Db, "getExecutor">): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}

/** The file of a SQLite database's URL. Throws for one of PostgreSQL, which has no file. */
export function databasePath(url: string): string {
  if (!url.startsWith("file:"))
    throw new Error(
      "DATABASE_URL: this works on a SQLite file only; PostgreSQL has tools of its own (pg_dump)",
    );
  return url.slice("file:".length);
}
