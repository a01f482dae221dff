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

  constructor(connection: Sqlite.Database) {
    const database = new StatementCache(connection);
    super({ database });
    this.#database = database;
  }

  override createDriver() {
    return new ImmediateSqliteDriver({ database: this.#database });
  }

  override createAdapter() {
    return new TransactionalDdlAdapter();
  }
}

/** A deferred transaction that writes after it has read loses to another writer; an immediate one waits first. */
class ImmediateSqliteDriver extends SqliteDriver {
  override async beginTransaction(connection: DatabaseConnection) {
    await connection.executeQuery(CompiledQuery.raw("begin immediate"));
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
