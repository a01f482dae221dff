import { accessSync, constants, existsSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";
import Sqlite from "better-sqlite3";
import { Kysely } from "kysely";
import type { Database, DatabaseOptions } from "../database.ts";
import type { Schema } from "../schema.ts";
import { OutsideTransactionGuard } from "../transaction.ts";
import { StoreSqliteDialect } from "./dialect.ts";

/** How long a connection waits by default while another process holds a lock. */
const BUSY_MS = 5000;

/**
 * After so many pages of 4 kB the log is written back into the file. Four times SQLite's own measure: orders write to the
 * same pages again and again, which then is done once.
 */
const CHECKPOINT_PAGES = 4000;

/** Opens a SQLite file, and creates it and its folder where they are missing. Throws an Error of one line where that fails. */
export function openSqlite(path: string, { busyMs = BUSY_MS }: DatabaseOptions = {}): Database {
  const guard = new OutsideTransactionGuard();
  const writer = connectFirst(path, busyMs);
  // Otherwise the undo log of savepoints goes to a temporary file (bench row 'POST printorder': a fifth more CPU).
  writer.pragma("temp_store = memory");
  const reader = connect(path, busyMs);
  reader.pragma("query_only = true");
  // The driver waits for the lock itself: SQLite would block the event loop meanwhile.
  writer.pragma("busy_timeout = 0");
  const dialect = new StoreSqliteDialect(writer, { busyMs });
  const db = new Kysely<Schema>({ dialect, plugins: [guard] });
  const readDialect = new StoreSqliteDialect(reader, { busyMs: BUSY_MS });
  const readDb = new Kysely<Schema>({ dialect: readDialect, plugins: [guard] });
  return {
    db,
    readDb,
    commitMark: () => dialect.commits,
    cluster: null,
    async close() {
      await Promise.all([db.destroy(), readDb.destroy()]);
      for (const connection of [reader, writer]) connection.close();
    },
  };
}

function connectFirst(path: string, busyMs: number): Sqlite.Database {
  try {
    mkdirSync(dirname(path), { recursive: true });
    // SQLite opens what it cannot write all the same, and only says so at the first write, without naming the file.
    for (const file of [path, `${path}-wal`, `${path}-shm`])
      if (existsSync(file)) accessSync(file, constants.W_OK);
    return connect(path, busyMs);
  } catch (error) {
    throw new Error(`DATABASE_URL: ${path} cannot be opened: ${(error as Error).message}`, { cause: error });
  }
}

function connect(path: string, busyMs: number): Sqlite.Database {
  const connection = new Sqlite(path, { timeout: busyMs });
  enableWal(connection, busyMs);
  connection.pragma("synchronous = full");
  connection.pragma("foreign_keys = on");
  connection.pragma(`wal_autocheckpoint = ${CHECKPOINT_PAGES}`);
  return connection;
}

/** SQLite ignores its busy timeout when the journal mode changes, so one of two processes on a new file would fail. */
function enableWal(connection: Sqlite.Database, busyMs: number): void {
  const deadline = Date.now() + busyMs;
  for (;;) {
    try {
      connection.pragma("journal_mode = wal");
      return;
    } catch (error) {
      const isBusy = error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY");
      if (!isBusy || Date.now() > deadline) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}
