import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { Cluster } from "../open.ts";

/** The advisory lock of the stores in one database: shared by its servers, or held by the only one. */
const LOCK = 7_746_832_001;
const CHANNEL = "queue_log";
/** PostgreSQL may need a moment to see that a server that was killed has gone. */
const JOIN_MS = 2000;
const RETRY_MS = 200;

/** The servers on one PostgreSQL database, over one standing connection that is made again whenever it breaks. */
export class PostgresCluster implements Cluster {
  readonly #config: pg.ClientConfig;
  readonly #listeners = new Set<() => void>();
  #client: pg.Client | null = null;
  #isAlone = false;
  #hasLeft = false;

  constructor(config: pg.ClientConfig) {
    this.#config = { ...config, keepAlive: true };
  }

  async join({ alone }: { alone: boolean }): Promise<boolean> {
    this.#isAlone = alone;
    const deadline = Date.now() + JOIN_MS;
    do {
      const client = await this.#connect();
      if (await this.#takePlace(client)) {
        this.#keep(client);
        return true;
      }
      await client.end();
      await sleep(RETRY_MS);
    } while (Date.now() < deadline);
    return false;
  }

  onQueueLog(hear: () => void): void {
    this.#listeners.add(hear);
  }

  async leave(): Promise<void> {
    this.#hasLeft = true;
    await this.#client?.end().catch(() => {});
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client(this.#config);
    // A connection that breaks also ends; whoever waits for an answer hears of it by that.
    client.on("error", () => {});
    await client.connect();
    return client;
  }

  async #takePlace(client: pg.Client): Promise<boolean> {
    const take = this.#isAlone ? "pg_try_advisory_lock" : "pg_try_advisory_lock_shared";
    const { rows } = await client.query(`select ${take}($1) as taken`, [LOCK]);
    if (!rows[0].taken) return false;
    await client.query(`listen ${CHANNEL}`);
    return true;
  }

  #keep(client: pg.Client): void {
    this.#client = client;
    client.on("notification", () => this.#tell());
    client.once("end", () => void this.#rejoin());
  }

  async #rejoin(): Promise<void> {
    while (!this.#hasLeft) {
      await sleep(RETRY_MS, undefined, { ref: false });
      const isBack = await this.join({ alone: this.#isAlone }).catch(() => false);
      if (!isBack) continue;
      if (this.#hasLeft) await this.leave();
      this.#tell();
      return;
    }
  }

  #tell(): void {
    for (const hear of this.#listeners) hear();
  }
}
