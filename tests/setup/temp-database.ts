import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { type Database, openDatabase } from "#db/open.ts";
import { databaseUrlFor, migratedDatabaseUrlFor } from "./test-database.ts";

/** A folder of its own for the running test, gone when the test is. */
export async function tempFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "print-store-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The URL of a database that nothing is in yet; on PostgreSQL of one that is migrated. */
export async function tempDatabaseUrl(): Promise<string> {
  return databaseUrlFor(await tempFolder());
}

/** A migrated database of its own for the running test, closed when the test ends. */
export async function openTempDatabase(): Promise<Database> {
  const database = await openDatabase(await migratedDatabaseUrlFor(await tempFolder()));
  onTestFinished(() => database.close());
  return database;
}
