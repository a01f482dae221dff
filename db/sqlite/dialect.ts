import type Sqlite from "better-sqlite3";
import {
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteQueryCompiler,
  type SqliteStatement,
} from "kysely";
import { GroupCommitDriver, type GroupCommitOptions } from "./group-commit.ts";

/** Kysely's SQLite dialect, with prepared statements kept, commits made together, and DDL rolled back. */
export class StoreSqliteDialect extends SqliteDialect {
  readonly #driver: GroupCommitDriver;

  constructor(connection: Sqlite.Database, options: Pick<GroupCommitOptions, "patienceMs">) {
    const database = new StatementCache(connection);
    super({ database });
    const isReadOnly = (sql: string) => database.isReadOnly(sql);
    this.#driver = new GroupCommitDriver({ database, sqlite: connection, isReadOnly, ...options });
  }

  /** How often something was committed through it. */
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

  /** There is one; the driver has them wait for it, in the order in which they came. */
  override get supportsMultipleConnections() {
    return true;
  }
}

/**
 * SQLite's planner looks at what is bound to a bare parameter, and therefore plans most statements anew whenever something
 * is bound, which takes longer than to run them. In `likely`, which changes nothing else about a value, it does not.
 */
class PlanOnceCompiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder() {
    return "likely(?)";
  }
}

/** More distinct statements than this point at SQL built from values; then the cache starts over. */
const MAX_STATEMENTS = 500;

interface CachedStatement extends SqliteStatement {
  /** Whether it writes nothing into the database. */
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

  /** Pragmas are about the connection, whatever SQLite says of them. */
  isReadOnly(sql: string): boolean {
    return this.prepare(sql).readonly || /^\s*pragma\b/i.test(sql);
  }

  close() {
    this.#connection.close();
  }
}
