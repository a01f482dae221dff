import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { type SpawnedServer, spawnServer } from "./spawned-server.ts";
import { TestClock } from "./test-clock.ts";
import { databaseUrlFor, dropDatabaseOf, emptyDatabaseUrlFor } from "./test-database.ts";
import { startTestStore, type TestStore } from "./test-store.ts";
import { UploadThingEmulator } from "./uploadthing-emulator.ts";

/** Servers that share a PostgreSQL database and a file storage, and nothing else. */
export class TestCluster {
  readonly clock = new TestClock();
  readonly emulator: UploadThingEmulator;
  /** The settings of every server. */
  readonly settings: Record<string, string>;
  readonly #folder: string;
  readonly #running: { stop(): Promise<void> }[] = [];

  private constructor(folder: string, emulator: UploadThingEmulator, settings: Record<string, string>) {
    this.#folder = folder;
    this.emulator = emulator;
    this.settings = settings;
  }

  /** @param env settings that all servers share; `isEmpty`: the database has no tables yet */
  static async open(env: Record<string, string> = {}, { isEmpty = false } = {}): Promise<TestCluster> {
    const folder = await mkdtemp(join(tmpdir(), "print-store-cluster-"));
    const emulator = await UploadThingEmulator.start();
    return new TestCluster(folder, emulator, {
      DATABASE_URL: await (isEmpty ? emptyDatabaseUrlFor : databaseUrlFor)(folder),
      SECRET: "one secret for all servers of a store",
      ...emulator.settings,
      ...env,
    });
  }

  /** Starts another server in this process, with the cluster's clock. */
  async server(env: Record<string, string> = {}): Promise<TestStore> {
    const server = await startTestStore({ ...this.settings, ...env }, undefined, this.clock);
    this.#running.push(server);
    return server;
  }

  /** Starts another server as a process with a new data folder. */
  async spawn(env: Record<string, string> = {}): Promise<SpawnedServer> {
    const dataDir = await mkdtemp(join(this.#folder, "server-"));
    const PORT = String(await freePort());
    const server = await spawnServer(dataDir, { ...this.settings, PORT, LOG_LEVEL: "error", ...env });
    this.#running.push(server);
    return server;
  }

  /** Stops all servers and deletes their data. */
  async stop(): Promise<void> {
    await Promise.all(this.#running.map((server) => server.stop()));
    await this.emulator.close();
    await dropDatabaseOf(this.#folder);
    await rm(this.#folder, { recursive: true, force: true });
  }
}
