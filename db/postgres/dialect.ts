import {
  type BinaryOperationNode,
  type DataTypeNode,
  OperatorNode,
  PostgresAdapter,
  PostgresDialect,
  type PostgresDialectConfig,
  PostgresDriver,
  PostgresQueryCompiler,
  PrimitiveValueListNode,
  sql,
} from "kysely";
import pRetry from "p-retry";
import { isDatabaseUnavailable } from "../errors.ts";

/** For how long connecting is retried while PostgreSQL restarts. A full pool has let a caller wait for as long already. */
const RETRIES = { retries: Infinity, minTimeout: 50, maxTimeout: 500, factor: 2, maxRetryTime: 5000 };

/** Kysely's PostgreSQL dialect, whose columns store and order values as SQLite does, and which outlasts a restart. */
export class StorePostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  #commits = 0;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  /** Number of commits so far. */
  get commits(): number {
    return this.#commits;
  }

  override createDriver() {
    return new RetryingDriver(this.#config, () => this.#commits++);
  }

  override createQueryCompiler() {
    return new SqliteLikeCompiler();
  }

  override createAdapter() {
    return new MigrationAdapter();
  }
}

class MigrationAdapter extends PostgresAdapter {
  /** A migration, and waiting for another server's, may take longer than STATEMENT_MS. */
  override async acquireMigrationLock(...args: Parameters<PostgresAdapter["acquireMigrationLock"]>) {
    await sql`set statement_timeout = 0`.execute(args[0]);
    await super.acquireMigrationLock(...args);
  }

  override async releaseMigrationLock(...args: Parameters<PostgresAdapter["releaseMigrationLock"]>) {
    await super.releaseMigrationLock(...args);
    await sql`reset statement_timeout`.execute(args[0]);
  }
}

class RetryingDriver extends PostgresDriver {
  readonly #onCommit: () => void;

  constructor(config: PostgresDialectConfig, onCommit: () => void) {
    super(config);
    this.#onCommit = onCommit;
  }

  override async commitTransaction(...args: Parameters<PostgresDriver["commitTransaction"]>) {
    // Counted also when the answer is lost: the commit may have been made.
    await super.commitTransaction(...args).finally(this.#onCommit);
  }

  override acquireConnection(...args: Parameters<PostgresDriver["acquireConnection"]>) {
    const acquire = () => super.acquireConnection(...args);
    return pRetry(acquire, { ...RETRIES, shouldRetry: ({ error }) => isDatabaseUnavailable(error) });
  }

  /** A lost connection has ended the transaction; the caller gets the first error, not that of the rollback. */
  override async rollbackTransaction(...args: Parameters<PostgresDriver["rollbackTransaction"]>) {
    await super.rollbackTransaction(...args).catch(() => {});
  }
}

class SqliteLikeCompiler extends PostgresQueryCompiler {
  /** 64-bit integers, and text that is compared byte by byte whatever the locale of the database. */
  protected override visitDataType(node: DataTypeNode): void {
    if (node.dataType === "integer") this.append("bigint");
    else if (node.dataType === "text") this.append('text collate "C"');
    else super.visitDataType(node);
  }

  /** PostgreSQL has no syntax for an empty list: `in ()` is false, `not in ()` true. */
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const operator = OperatorNode.is(node.operator) ? node.operator.operator : null;
    const isEmpty = PrimitiveValueListNode.is(node.rightOperand) && node.rightOperand.values.length === 0;
    if (isEmpty && operator === "in") this.append("false");
    else if (isEmpty && operator === "not in") this.append("true");
    else super.visitBinaryOperation(node);
  }
}
