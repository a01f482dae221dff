import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import {
  CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
  type SqliteDatabase,
  SqliteDriver,
} from "kysely";

/** So many are committed together at most, so that the first of them does not wait for long. */
const MAX_MEMBERS = 100;
/** A group waits for more until so many turns of the event loop have brought none; an idle one takes some µs. */
const QUIET_TURNS = 3;
/** It waits no longer than this, whoever still comes. */
const MAX_GATHERING_MS = 20;
/** How often the write lock is tried while another connection has it. */
const TRY_EVERY_MS = 3;

export interface GroupCommitOptions {
  database: SqliteDatabase;
  /** Its connection, on which SQLite waits for no lock. */
  sqlite: Sqlite.Database;
  isReadOnly: (sql: string) => boolean;
  /** How long to wait for another connection that has the write lock. */
  patienceMs: number;
}

/** What is committed together: transactions and single statements, and whoever read what they wrote. */
interface Group extends PromiseWithResolvers<void> {
  members: number;
  /** As `performance.now()` had it when the group was opened. */
  readonly openedAt: number;
  /** How many turns of the event loop have passed since the last joined. */
  quietTurns: number;
  isWatched: boolean;
}

/**
 * Commits what was written in neighbouring turns of the event loop with one commit, for it is the commit that waits for
 * the disk.
 * Each transaction is a savepoint in the group's one transaction: it is rolled back by itself, and answered once the
 * group is on the disk; where that fails, all of the group fail. They run one after another, as on one connection they
 * must, and the write lock is taken when the first begins: a deferred transaction that writes after it has read would
 * lose to another process. For the lock it waits without holding up the event loop.
 */
export class GroupCommitDriver extends SqliteDriver {
  readonly #sqlite: Sqlite.Database;
  readonly #isReadOnly: (sql: string) => boolean;
  readonly #patienceMs: number;
  readonly #waiting: (() => void)[] = [];
  #isTaken = false;
  #group: Group | null = null;
  #isOverdue = false;
  #commits = 0;

  constructor({ database, sqlite, isReadOnly, patienceMs }: GroupCommitOptions) {
    super({ database });
    this.#sqlite = sqlite;
    this.#isReadOnly = isReadOnly;
    this.#patienceMs = patienceMs;
  }

  /** How many groups have been committed. */
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
    if (connection) this.#giveWay(connection as Member);
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
    await this.#joined(member, group);
  }

  override async rollbackTransaction(connection: DatabaseConnection) {
    const member = connection as Member;
    const { group } = member;
    member.group = null;
    // After some errors, a full disk's among them, SQLite has rolled everything back already.
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
    // What was only read may have been written by the group, and counts no sooner than it.
    if (this.#group) await this.#joined(member, this.#group);
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

  /** The group of a member's transaction. Throws where SQLite has rolled it back. */
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
    // Of a failure hear those who wait; there may be none.
    group.promise.catch(() => {});
    this.#group = group;
    return group;
  }

  async #begin(): Promise<void> {
    const deadline = performance.now() + this.#patienceMs;
    while (!this.#tryToBegin({ isLastTry: performance.now() > deadline })) await sleep(TRY_EVERY_MS);
  }

  /** False where another connection has the write lock; the last try throws then. */
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

  /** A connection that is used several times takes a turn for each. */
  async #takeTurn(member: Member): Promise<void> {
    if (member.hasTurn) return;
    if (this.#isTaken) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#isTaken = true;
    member.hasTurn = true;
  }

  /** Lets the next have its turn, and waits until the group is on the disk. */
  async #joined(member: Member, group: Group): Promise<void> {
    group.members++;
    group.quietTurns = 0;
    this.#giveWay(member);
    await group.promise;
  }

  #giveWay(member: Member): void {
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
    // Whoever is in the middle of a transaction ends it first.
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

/** The connection in the hands of one transaction or statement. */
class Member implements DatabaseConnection {
  readonly connection: DatabaseConnection;
  readonly #execute: Execute;
  /** While a transaction of its own is open. */
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
