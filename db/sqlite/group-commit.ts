import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import {
  CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  type SqliteDatabase,
  SqliteDriver,
} from "kysely";

/** Most transactions in one commit, so that the first of them does not wait for long. */
const MAX_MEMBERS = 100;
/** A group waits for more until so many turns of the event loop have brought none; an idle one takes some µs. */
const QUIET_TURNS = 3;
/** A group is committed after this time even if more transactions arrive. */
const MAX_GATHERING_MS = 20;
/** Pause between attempts to get the write lock while another process has it. */
const RETRY_MS = 3;

export interface GroupCommitOptions {
  database: SqliteDatabase;
  /** Its connection, with `busy_timeout` 0. */
  sqlite: Sqlite.Database;
  isReadOnly: (sql: string) => boolean;
  /** How long to wait while another connection has the write lock. */
  busyMs: number;
}

/** Transactions and single statements that are committed together, and reads of what they wrote. */
interface Group extends PromiseWithResolvers<void> {
  members: number;
  /** As `performance.now()` had it when the group was opened. */
  readonly openedAt: number;
  /** How many turns of the event loop have passed since the last joined. */
  quietTurns: number;
  isWatched: boolean;
}

/**
 * Group commit: transactions that arrive close together share one commit, because the commit waits for the disk. Without
 * it the bench row 'POST printorder' halves (CPU of an order 2.1 ms against 4.0).
 *
 * Each transaction is a savepoint in the group's one SQLite transaction. It can be rolled back alone; it resolves once the
 * group is on the disk, and when that fails the whole group fails. Transactions run one after another. The write lock is
 * taken at the beginning, since a deferred transaction that reads and then writes can fail when another process writes in
 * between; waiting for the lock does not block the event loop.
 */
export class GroupCommitDriver extends SqliteDriver {
  readonly #sqlite: Sqlite.Database;
  readonly #isReadOnly: (sql: string) => boolean;
  readonly #busyMs: number;
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;
  #group: Group | null = null;
  #isOverdue = false;
  #commits = 0;

  constructor({ database, sqlite, isReadOnly, busyMs }: GroupCommitOptions) {
    super({ database });
    this.#sqlite = sqlite;
    this.#isReadOnly = isReadOnly;
    this.#busyMs = busyMs;
  }

  /** Number of groups committed so far. */
  get commits(): number {
    return this.#commits;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection();
    const member: Member = new Member(connection, (query) => this.#execute(member, query));
    await this.#takeTurn(member);
    return member;
  }

  override async releaseConnection(connection?: DatabaseConnection) {
    if (connection) this.#releaseTurn(connection as Member);
  }

  override async beginTransaction(connection: DatabaseConnection) {
    const member = connection as Member;
    await this.#takeTurn(member);
    const group = await this.#openGroup();
    await member.connection.executeQuery(CompiledQuery.raw("savepoint member"));
    member.group = group;
  }

  override async commitTransaction(connection: DatabaseConnection) {
    const member = connection as Member;
    const group = this.#groupOf(member);
    await member.connection.executeQuery(CompiledQuery.raw("release member"));
    member.group = null;
    await this.#joinGroup(member, group);
  }

  override async rollbackTransaction(connection: DatabaseConnection) {
    const member = connection as Member;
    const { group } = member;
    member.group = null;
    // After some errors, such as a full disk, SQLite has already rolled everything back.
    if (!group || group !== this.#group) return;
    await member.connection.executeQuery(CompiledQuery.raw("rollback to member"));
    await member.connection.executeQuery(CompiledQuery.raw("release member"));
  }

  override async destroy() {
    this.#commit();
    await super.destroy();
  }

  async #execute<R>(member: Member, query: CompiledQuery): Promise<QueryResult<R>> {
    if (member.group) {
      this.#groupOf(member);
      return this.#attempt<R>(member, query);
    }
    await this.#takeTurn(member);
    if (!this.#isReadOnly(query.sql)) await this.#openGroup();
    const result = await this.#attempt<R>(member, query);
    // A read may have seen what the group wrote, so it must not resolve before the group is committed.
    if (this.#group) await this.#joinGroup(member, this.#group);
    return result;
  }

  async #attempt<R>(member: Member, query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return await member.connection.executeQuery<R>(query);
    } catch (error) {
      if (this.#group && !this.#sqlite.inTransaction) this.#fail(error);
      throw error;
    }
  }

  /** The group of this member's transaction. Throws if SQLite has already rolled it back. */
  #groupOf({ group }: Member): Group {
    if (group && group === this.#group) return group;
    throw new Error("This transaction has been rolled back already");
  }

  async #openGroup(): Promise<Group> {
    if (this.#group) return this.#group;
    await this.#begin();
    const group = {
      ...Promise.withResolvers<void>(),
      members: 0,
      openedAt: performance.now(),
      quietTurns: 0,
      isWatched: false,
    };
    // The waiting callers receive the error; without callers it must not become an unhandled rejection.
    group.promise.catch(() => {});
    this.#group = group;
    return group;
  }

  async #begin(): Promise<void> {
    const deadline = performance.now() + this.#busyMs;
    while (!this.#tryToBegin({ isLastTry: performance.now() > deadline })) await sleep(RETRY_MS);
  }

  /** False while another connection has the write lock; the last try throws. */
  #tryToBegin({ isLastTry }: { isLastTry: boolean }): boolean {
    try {
      this.#sqlite.exec("begin immediate");
      return true;
    } catch (error) {
      const isBusy = error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY");
      if (isBusy && !isLastTry) return false;
      throw error;
    }
  }

  /** Waits until no other member uses the connection. */
  async #takeTurn(member: Member): Promise<void> {
    if (member.hasTurn) return;
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    member.hasTurn = true;
  }

  /** Gives up the turn and waits until the group is on the disk. */
  async #joinGroup(member: Member, group: Group): Promise<void> {
    group.members++;
    group.quietTurns = 0;
    this.#releaseTurn(member);
    await group.promise;
  }

  #releaseTurn(member: Member): void {
    if (!member.hasTurn) return;
    member.hasTurn = false;
    if (this.#isOverdue || (this.#group && this.#group.members >= MAX_MEMBERS)) this.#commit();
    const next = this.#waiting.shift();
    this.#isTaken = next !== undefined;
    if (next) next();
    else if (this.#group) this.#watch(this.#group);
  }

  /** Looks at the end of this turn of the event loop whether the group is complete. */
  #watch(group: Group): void {
    if (group.isWatched) return;
    group.isWatched = true;
    setImmediate(() => this.#endTurn(group));
  }

  #endTurn(group: Group): void {
    group.isWatched = false;
    if (group !== this.#group) return;
    const isQuiet = group.quietTurns++ >= QUIET_TURNS;
    if (!isQuiet && performance.now() - group.openedAt < MAX_GATHERING_MS) this.#watch(group);
    // A transaction that is under way ends first.
    else if (this.#isTaken) this.#isOverdue = true;
    else this.#commit();
  }

  #commit(): void {
    const group = this.#group;
    this.#group = null;
    this.#isOverdue = false;
    if (!group) return;
    try {
      this.#sqlite.exec("commit");
      this.#commits++;
      group.resolve();
    } catch (error) {
      if (this.#sqlite.inTransaction) this.#sqlite.exec("rollback");
      group.reject(error);
    }
  }

  #fail(error: unknown): void {
    this.#group?.reject(error);
    this.#group = null;
    this.#isOverdue = false;
  }
}

type Execute = <R>(query: CompiledQuery) => Promise<QueryResult<R>>;

/** The connection as one transaction or statement uses it. */
class Member implements DatabaseConnection {
  readonly connection: DatabaseConnection;
  readonly #execute: Execute;
  /** Set while its own transaction is open. */
  group: Group | null = null;
  hasTurn = false;

  constructor(connection: DatabaseConnection, execute: Execute) {
    this.connection = connection;
    this.#execute = execute;
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    return this.#execute<R>(query);
  }

  streamQuery<R>(query: CompiledQuery, chunkSize: number): AsyncIterableIterator<QueryResult<R>> {
    return this.connection.streamQuery<R>(query, chunkSize);
  }
}
