import type Sqlite from "better-sqlite3";
import {
  CompiledQuery,
  type DatabaseConnection,
  SqliteAdapter,
  type SqliteDatabase,
  SqliteDialect,
  SqliteDriver,
  type SqliteStatement,
} from "kysely";

/** Kysely's SQLite dialect, with prepared statements kept, write locks taken at `begin`, and DDL rolled back. */
export class StoreSqliteDialect extends SqliteDialect {
  readonly #database: SqliteDatabase;
  readonly #connection: Sqlite.Database;

  constructor(connection: Sqlite.Database) {
    const database = new StatementCache(connection);
    super({ database });
    this.#database = database;
    this.#connection = connection;
  }

  override createDriver() {
    return new ImmediateSqliteDriver(this.#database, this.#connection);
  }

  override createAdapter() {
    return new TransactionalDdlAdapter();
  }
}

/** A deferred transaction that writes after it has read loses to another writer; an immediate one waits first. */
class ImmediateSqliteDriver extends SqliteDriver {
  readonly #connection: Sqlite.Database;

  constructor(database: SqliteDatabase, connection: Sqlite.Database) {
    super({ database });
    this.#connection = connection;
  }

  override async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
  }

  /** After some errors, a full disk's among them, SQLite has rolled back already; the error itself is what counts. */
  override async rollbackTransaction(connection: DatabaseConnection) {
    if (this.#connection.inTransaction) await super.rollbackTransaction(connection);
  }
}

class TransactionalDdlAdapter extends SqliteAdapter {
  override get supportsTransactionalDdl() {
    return true;
  }
}

/** More distinct statements than this point at SQL built from values; then the cache starts over. */
const MAX_STATEMENTS = 500;

class StatementCache implements SqliteDatabase {
  readonly #connection: Sqlite.Database;
  readonly #statements = new Map<string, SqliteStatement>();

  constructor(connection: Sqlite.Database) {
    this.#connection = connection;
  }

  prepare(sql: string): SqliteStatement {
    let statement = this.#statements.get(sql);
    if (!statement) {
      statement = this.#connection.prepare(sql) as unknown as SqliteStatement;
      if (this.#statements.size >= MAX_STATEMENTS) this.#statements.clear();
      this.#statements.set(sql, statement);
    }
    return statement;
  }

  close() {
    this.#connection.close();
  }
}
