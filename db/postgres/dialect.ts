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

/** How often a connection is tried again while PostgreSQL restarts, some five seconds in all. */
const RETRIES = { retries: 12, minTimeout: 50, maxTimeout: 500, factor: 2 };

/** Kysely's PostgreSQL dialect, with columns that hold and order values as SQLite's do. */
export class StorePostgresDialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;
  #commits = 0;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  /** How many transactions have been committed through it. */
  get commits(): number {
    return this.#commits;
  }

  override createDriver() {
    return new PatientDriver(this.#config, () => this.#commits++);
  }

  override createQueryCompiler() {
    return new SqliteLikeCompiler();
  }

  override createAdapter() {
    return new PatientAdapter();
  }
}

class PatientAdapter extends PostgresAdapter {
  /** A migration may take its time, and so may waiting for another server's. */
  override async acquireMigrationLock(...args: Parameters<PostgresAdapter["acquireMigrationLock"]>) {
    await sql`set statement_timeout = 0`.execute(args[0]);
    await super.acquireMigrationLock(...args);
  }

  override async releaseMigrationLock(...args: Parameters<PostgresAdapter["releaseMigrationLock"]>) {
    await super.releaseMigrationLock(...args);
    await sql`reset statement_timeout`.execute(args[0]);
  }
}

class PatientDriver extends PostgresDriver {
  readonly #onCommit: () => void;

  constructor(config: PostgresDialectConfig, onCommit: () => void) {
    super(config);
    this.#onCommit = onCommit;
  }

  override async commitTransaction(...args: Parameters<PostgresDriver["commitTransaction"]>) {
    // Also when the answer is lost: it may have been committed.
    await super.commitTransaction(...args).finally(this.#onCommit);
  }

  override acquireConnection(...args: Parameters<PostgresDriver["acquireConnection"]>) {
    const acquire = () => super.acquireConnection(...args);
    return pRetry(acquire, { ...RETRIES, shouldRetry: ({ error }) => isDatabaseUnavailable(error) });
  }

  /** Where the connection is gone, so is the transaction; the error that ended it is what counts. */
  override async rollbackTransaction(...args: Parameters<PostgresDriver["rollbackTransaction"]>) {
    await super.rollbackTransaction(...args).catch(() => {});
  }
}

class SqliteLikeCompiler extends PostgresQueryCompiler {
  /** Integers of 64 bits, and text that is compared byte by byte whatever the database's locale. */
  protected override visitDataType(node: DataTypeNode): void {
    if (node.dataType === "integer") this.append("bigint");
    else if (node.dataType === "text") this.append('text collate "C"');
    else super.visitDataType(node);
  }

  /** Nothing is in an empty list, which PostgreSQL has no word for. */
  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    const operator = OperatorNode.is(node.operator) ? node.operator.operator : null;
    const isEmpty = PrimitiveValueListNode.is(node.rightOperand) && node.rightOperand.values.length === 0;
    if (isEmpty && operator === "in") this.append("false");
    else if (isEmpty && operator === "not in") this.append("true");
    else super.visitBinaryOperation(node);
  }
}
