import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";

/** Names of the files and folders in the data folder. */
export const IN_DATA_DIR = {
  database: "store.sqlite",
  lock: "server.lock",
  secret: "secret",
  files: "files",
  shopPhotos: "shop-images",
  packs: "packs",
  restoring: "restoring",
} as const;

/**
 * Locks the data folder for this server and returns the function that unlocks it; throws if another server holds it. The
 * lock is an SQLite lock on an empty database, which the operating system releases even if the process is killed.
 */
export function lockDataDir(dataDir: string): () => void {
  const unlock = tryToLockDataDir(dataDir);
  if (!unlock) throw new Error(`DATA_DIR: another server uses ${dataDir}`);
  return unlock;
}

/** The same, but returns null if another server holds the lock. */
export function tryToLockDataDir(dataDir: string): (() => void) | null {
  let lock: Sqlite.Database | undefined;
  try {
    mkdirSync(dataDir, { recursive: true });
    lock = new Sqlite(join(dataDir, IN_DATA_DIR.lock), { timeout: 0 });
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock?.close();
    if (error instanceof Sqlite.SqliteError && error.code === "SQLITE_BUSY") return null;
    throw new Error(`DATA_DIR: ${dataDir} cannot be written: ${(error as Error).message}`, { cause: error });
  }
  return () => lock.close();
}
