import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import type { Database } from "#db/database.ts";
import { openDatabase } from "#db/open.ts";
import { type SpawnedServer, spawnServer } from "./spawned-server.ts";
import { databaseUrlFor, migratedDatabaseUrlFor } from "./test-database.ts";

/** A temporary folder, deleted after the running test. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "print-store-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The URL of an empty database; on PostgreSQL of a migrated one. */
export async function tempDatabaseUrl(): Promise<string> {
  return databaseUrlFor(await tempFolder());
}

/** A migrated temporary database, closed after the running test. */
export async function openTempDatabase(): Promise<Database> {
  const database = await openDatabase(await migratedDatabaseUrlFor(await tempFolder()));
  onTestFinished(() => database.close());
  return database;
}

/** A server process with a new data folder; it ends with the test. */
export async function startServerProcess(env: Record<string, string> = {}): Promise<SpawnedServer> {
  const server = await spawnServer(await tempFolder(), env);
  onTestFinished(() => server.stop());
  return server;
}
