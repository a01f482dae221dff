import type Sqlite from "better-sqlite3";
import {
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteQueryCompiler,
  type SqliteStatement,
} from "kysely";
import { GroupCommitDriver, type GroupCommitOptions } from "./group-commit.ts";

/** Kysely's SQLite dialect with a cache of prepared statements, group commit, and migrations in a transaction. */
export class StoreSqliteDialect extends SqliteDialect {
  readonly #driver: GroupCommitDriver;

  constructor(connection: Sqlite.Database, options: Pick<GroupCommitOptions, "busyMs">) {
    const database = new StatementCache(connection);
    super({ database });
    const isReadOnly = (sql: string) => database.isReadOnly(sql);
    this.#driver = new GroupCommitDriver({ database, sqlite: connection, isReadOnly, ...options });
  }

  /** Number of commits so far. */
  get commits(): number {
    return this.#driver.commits;
  }

  override createDriver() {
    return this.#driver;
  }

  override createAdapter() {
    return new StoreSqliteAdapter();
  }

  override createQueryCompiler() {
    return new PlanOnceCompiler();
  }
}

class StoreSqliteAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }

  /** There is one connection; the driver queues whoever wants it, first come first served. */
  override get supportsMultipleConnections() {
    return true;
  }
}

/**
 * SQLite plans many statements again whenever a bare parameter is bound, because its planner looks at the value; it does
 * not look into `likely(?)`, which has the same value. Bench row 'GET getuser with a session': finding the session takes
 * 1.4 µs of CPU, and 12 without this.
 */
class PlanOnceCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder() {
    return "likely(?)";
  }
}

/** More distinct statements than this mean that some SQL contains values; then the cache starts anew. */
const MAX_STATEMENTS = 500;

interface CachedStatement extends SqliteStatement {
  /** Whether it writes nothing to the database. */
  readonly readonly: boolean;
}

class StatementCache implements SqliteDatabase {
  readonly #connection: Sqlite.Database;
  readonly #statements = new Map<string, CachedStatement>();

  constructor(connection: Sqlite.Database) {
    this.#connection = connection;
  }

  prepare(sql: string): CachedStatement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#connection.prepare(sql) as unknown as CachedStatement;
      if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  /** A pragma counts as read-only: it concerns the connection, whatever SQLite reports. */
  isReadOnly(sql: string): boolean {
    return this.prepare(sql).readonly || /^\s*pragma\b/i.test(sql);
  }

  close() {
    this.#connection.close();
  }
}
