import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Cluster, JoinOptions } from "../database.ts";

/** Key of the advisory lock that servers share, or that a server which must be alone holds exclusively. */
const LOCK = 7_746_832_001;
const CHANNEL = "live_events";
/** PostgreSQL may need a moment to notice that a killed server is gone. */
const JOIN_MS = 2000;
const RETRY_MS = 200;
/** Nothing is sent on a connection that only listens: a firewall may drop it unnoticed. Linux by itself would ask after two hours. */
const KEEP_ALIVE_MS = 60_000;

/** Membership in the group of servers on one PostgreSQL database, over one connection that is reopened when it breaks. */
export class PostgresCluster implements Cluster {
  readonly #config: pg.ClientConfig;
  readonly #listeners = new Set<() => void>();
  #client: pg.Client | null = null;
  #options: JoinOptions = { alone: false };
  /** Of this server's connections that may have the lock, lost ones too, which PostgreSQL keeps until it finds out. */
  readonly #pids = new Set<number>();
  #hasLeft = false;

  constructor(config: pg.ClientConfig) {
    this.#config = { ...config, keepAlive: true, keepAliveInitialDelayMillis: KEEP_ALIVE_MS };
  }

  async join(options: JoinOptions): Promise<boolean> {
    this.#options = options;
    const deadline = Date.now() + JOIN_MS;
    do {
      const client = await this.#connect();
      let isLocked = false;
      try {
        isLocked = await this.#tryToLock(client);
      } finally {
        if (!isLocked) await client.end();
      }
      if (isLocked) {
        this.#keep(client);
        return true;
      }
      await sleep(RETRY_MS);
    } while (Date.now() < deadline);
    return false;
  }

  onLiveEvents(listener: () => void): void {
    this.#listeners.add(listener);
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    await this.#client?.end().catch(() => {});
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config);
    // A connection that breaks emits `end` too, and waiting queries reject.
    client.on("error", () => {});
    await client.connect();
    return client;
  }

  async #tryToLock(client: pg.Client): Promise<boolean> {
    const lock = this.#options.alone ? "pg_try_advisory_lock" : "pg_try_advisory_lock_shared";
    const { rows: own } = await client.query("select pg_backend_pid() as pid");
    // Known before it may have the lock: the answer may be lost.
    this.#pids.add(own[0].pid);
    const { rows } = await client.query(`select ${lock}($1) as locked`, [LOCK]);
    if (!rows[0].locked) {
      this.#pids.delete(own[0].pid);
      return false;
    }
    await client.query(`listen ${CHANNEL}`);
    return true;
  }

  #keep(client: pg.Client): void {
    this.#client = client;
    client.on("notification", () => this.#notify());
    client.once("end", () => void this.#rejoin());
  }

  async #rejoin(): Promise<void> {
    while (!this.#hasLeft) {
      await sleep(RETRY_MS, undefined, { ref: false });
      const isBack = await this.join(this.#options).catch(() => null);
      const isTaken = isBack === false && this.#options.alone && (await this.#hasOthers().catch(() => false));
      if (isTaken && !this.#hasLeft) return this.#options.onTaken?.();
      if (!isBack) continue;
      if (this.#hasLeft) await this.leave();
      this.#notify();
      return;
    }
  }

  /** Whether any connection has the lock but those that this server has lost. */
  async #hasOthers(): Promise<boolean> {
    const client = await this.#connect();
    try {
      const { rows } = await client.query(
        `select from pg_locks join pg_database on pg_database.oid = database where datname = current_database()
           and locktype = 'advisory' and (classid::bigint << 32 | objid::bigint) = $1 and granted and pid <> all($2)`,
        [LOCK, [...this.#pids]],
      );
      return rows.length > 0;
    } finally {
      await client.end();
    }
  }

  #notify(): void {
    for (const listener of this.#listeners) listener();
  }
}
