import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import Sqlite from "better-sqlite3";
import { DEFAULT_MIGRATION_TABLE } from "kysely/migration";
import { databasePath } from "#db/open.ts";
import type { Config } from "#server/config.ts";
import { createKeyring } from "#server/lib/crypto.ts";
import { IN_DATA_DIR } from "#server/lib/data-dir.ts";
import { KEYS_FACT } from "#server/push/push.queries.ts";
import { areSealedBy } from "#server/push/push.worker.ts";
import { type Manifest, type ManifestEntry, writeManifest } from "./manifest.ts";
import {
  appWithFiles,
  copyAndSync,
  copyShopPhotos,
  copyStoredFiles,
  factOf,
  measureFile,
  orNull,
  requireRoom,
  type Sources,
  syncFolder,
  syncFolders,
} from "./stored-files.ts";

type Store = Pick<Config, "dataDir" | "databaseUrl" | "minFreeBytes">;

/**
 * Backs up a store, which may be running, into a new folder: a snapshot of its database and the files that it refers to,
 * unless those are at UploadThing. The folder gets its name when everything is on the disk; a failure leaves nothing.
 */
export async function makeBackup(folder: string, store: Store): Promise<Manifest> {
  const target = resolve(folder);
  if (existsSync(target)) throw new Error(`${folder} is there already. Give the backup a new folder`);
  const live = openToRead(databasePath(store.databaseUrl));
  try {
    await mkdir(dirname(target), { recursive: true });
    return await writeBeside(target, async (part) => {
      const manifest = await copyStore(live, store, part);
      await writeManifest(part, manifest);
      return manifest;
    });
  } finally {
    live.close();
  }
}

const STOPPING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** Fills a temporary folder beside `target`, then renames it; a signal removes it. */
async function writeBeside<Result>(target: string, fill: (part: string) => Promise<Result>): Promise<Result> {
  let part = "";
  const stop = (signal: NodeJS.Signals) => {
    if (part) rmSync(part, { recursive: true, force: true, maxRetries: 5 });
    console.error(`No backup was made: ${signal} stopped it`);
    process.exit(1);
  };
  for (const signal of STOPPING) process.on(signal, stop);
  try {
    // Synchronously, so that no signal comes between the folder and its name.
    part = mkdtempSync(`${target}.part-`);
    const result = await fill(part);
    await syncFolders(part);
    await rename(part, target);
    await syncFolder(dirname(target));
    return result;
  } catch (error) {
    if (part) await rm(part, { recursive: true, force: true });
    throw error;
  } finally {
    for (const signal of STOPPING) process.off(signal, stop);
  }
}

async function copyStore(
  live: Sources["live"],
  { dataDir, minFreeBytes }: Store,
  folder: string,
): Promise<Manifest> {
  const madeAt = new Date().toISOString();
  // Half of the reserve that uploads must leave, as for packs.
  const leaveBytes = (await isOnOneDisk(dataDir, folder)) ? minFreeBytes / 2 : 0;
  await requireRoom({ folder, leaveBytes }, live.prepare<[], number>(DATABASE_BYTES).pluck().get() ?? 0);
  const copy = copyDatabase(live, join(folder, IN_DATA_DIR.database));
  try {
    const sources = { live, copy, dataDir, folder, madeAt, leaveBytes };
    const filesInApp = appWithFiles(copy);
    const files = [
      ...(filesInApp ? [] : await copyStoredFiles(sources)),
      ...(filesInApp ? [] : await copyShopPhotos(sources)),
      ...(await copySecret(sources)),
    ];
    checkDatabase(copy);
    const migrations = readMigrations(copy);
    copy.close();
    const entries = [await databaseEntry(folder), ...files];
    return { format: 1, madeAt, migrations, ...(filesInApp && { filesInApp }), files: entries };
  } finally {
    copy.close();
  }
}

const DATABASE_BYTES = "select page_count * page_size from pragma_page_count, pragma_page_size";

async function isOnOneDisk(one: string, other: string): Promise<boolean> {
  return (await stat(one)).dev === (await stat(other)).dev;
}

/** Not where SECRET is set: a file may still hold the secret that it has replaced, because that had leaked for example. */
async function copySecret({ copy, dataDir, folder }: Sources): Promise<ManifestEntry[]> {
  const path = IN_DATA_DIR.secret;
  const secret = await orNull(readFile(join(dataDir, path), "utf8"));
  if (secret === null || !isOwnSecret(copy, secret)) return [];
  return [{ path, ...(await copyAndSync(join(dataDir, path), join(folder, path))) }];
}

function isOwnSecret(database: Sqlite.Database, secret: string): boolean {
  const sealed = factOf(database, KEYS_FACT);
  return sealed === undefined || areSealedBy(createKeyring(secret), sealed);
}

async function databaseEntry(folder: string): Promise<ManifestEntry> {
  const path = IN_DATA_DIR.database;
  await syncFolder(join(folder, path));
  return { path, ...(await measureFile(join(folder, path))) };
}

/** How long a connection waits while another holds a lock. */
const BUSY_MS = 5000;

/** Opens an existing database read-only. */
export function openToRead(path: string): Sqlite.Database {
  if (!existsSync(path)) throw new Error(`There is no database at ${path}`);
  return new Sqlite(path, { readonly: true, timeout: BUSY_MS });
}

/** Copies the committed state into a new database at `path`; others can read and write meanwhile. */
export function copyDatabase(live: Sqlite.Database, path: string): Sqlite.Database {
  live.prepare("vacuum into ?").run(path);
  return new Sqlite(path);
}

/** Throws if the database is damaged or a foreign key refers to a missing row. */
export function checkDatabase(database: Sqlite.Database): void {
  const finding = database.pragma("integrity_check(1)", { simple: true });
  if (finding !== "ok") throw new Error(`The database is damaged: ${String(finding).replace(/\s+/g, " ")}`);
  const [broken] = database.pragma("foreign_key_check") as { table: string; parent: string }[];
  if (broken) {
    throw new Error(
      `The database is damaged: a row of ${broken.table} refers to one of ${broken.parent} that is not there`,
    );
  }
}

/** The names of the migrations that were applied to the database. */
export function readMigrations(database: Sqlite.Database): string[] {
  return database
    .prepare<[], string>(`select name from ${DEFAULT_MIGRATION_TABLE} order by name`)
    .pluck()
    .all();
}
