import { mkdirSync } from "node:fs";
import { join } from "node:path";
import Sqlite from "better-sqlite3";

/** What a data folder holds, by its name there. */
export const IN_DATA_DIR = {
  database: "store.sqlite",
  lock: "server.lock",
  secret: "secret",
  files: "files",
  shopPhotos: "shop-images",
  packs: "packs",
  mail: "mail",
} as const;

/**
 * Takes a data folder for this server alone, and answers what gives it back. The lock is SQLite's own on an empty
 * database, which the system drops with the process, however that ends. Throws when another server has the folder.
 */
export function lockDataDir(dataDir: string): () => void {
  const unlock = tryToLockDataDir(dataDir);
  if (!unlock) throw new Error(`DATA_DIR: another server uses ${dataDir}`);
  return unlock;
}

/** The same, but null when another server has the folder. */
export function tryToLockDataDir(dataDir: string): (() => void) | null {
  mkdirSync(dataDir, { recursive: true });
  const lock = new Sqlite(join(dataDir, IN_DATA_DIR.lock), { timeout: 0 });
  try {
    lock.exec("BEGIN EXCLUSIVE");
  } catch (error) {
    lock.close();
    if (error instanceof Sqlite.SqliteError && error.code.startsWith("SQLITE_BUSY")) return null;
    throw error;
  }
  return () => lock.close();
}
