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

export interface JoinOptions {
  /** Whether there may be no other server. */
  alone: boolean;
  /** Called where another server took the place of one that is alone, while its connection was lost; it does not come back. */
  onTaken?: () => void;
}

export interface Cluster {
  /**
   * Registers this server on the database until it is closed. Returns false where other servers, or one that is alone, do not
   * allow it. A lost connection is made and registered again.
   */
  join(options: JoinOptions): Promise<boolean>;
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

/** Whether an open database, or a transaction in it, is on PostgreSQL. */
export function isOnPostgres(db: Pick<Db, "getExecutor">): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter;
}
