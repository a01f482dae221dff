import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { databasePath } from "#db/open.ts";
import type { Config } from "#server/config.ts";
import { IN_DATA_DIR, lockDataDir } from "#server/lib/data-dir.ts";
import { checkDatabase, openToRead } from "./make-backup.ts";
import { type Manifest, type ManifestEntry, readManifest } from "./manifest.ts";
import {
  appWithFiles,
  checkStoredFiles,
  copyAndSync,
  type Measured,
  measureFile,
  orNull,
  syncFolder,
  syncFolders,
} from "./stored-files.ts";

/** Where the store is restored to, and where its parts are kept until it is complete. */
interface Places {
  dataDir: string;
  database: string;
  staging: string;
  stagedDatabase: string;
}

/**
 * Restores a backup into an empty data folder. Throws, and changes nothing, if the backup is damaged or this code cannot
 * use it, if the folder is not empty, or if a server uses it.
 */
export async function restoreBackup(
  folder: string,
  { dataDir, databaseUrl }: Pick<Config, "dataDir" | "databaseUrl">,
): Promise<Manifest> {
  const manifest = await readManifest(folder);
  const places = placesOf(dataDir, databasePath(databaseUrl));
  await refuseUnlessEmpty(places);
  await checkBackup(folder, manifest);
  const unlock = lockDataDir(dataDir);
  try {
    // Checked again: another restore may have come first during the check of the backup.
    await refuseUnlessEmpty(places);
    await restoreFiles(folder, manifest, places);
  } finally {
    unlock();
  }
  return manifest;
}

function placesOf(dataDir: string, database: string): Places {
  const { restoring } = IN_DATA_DIR;
  return { dataDir, database, staging: join(dataDir, restoring), stagedDatabase: `${database}.${restoring}` };
}

/** What is moved into the data folder before the database. */
const MOVED_FIRST = [IN_DATA_DIR.secret, IN_DATA_DIR.files, IN_DATA_DIR.shopPhotos];

/** What an interrupted restore has moved there already: until its database has its name, no server starts on it. */
function movedBefore({ staging, stagedDatabase }: Places): string[] {
  return existsSync(staging) && existsSync(stagedDatabase) ? MOVED_FIRST : [];
}

/** Allows what an interrupted restore left, and the lock file that a server leaves. */
async function refuseUnlessEmpty(places: Places): Promise<void> {
  const { dataDir, database, staging, stagedDatabase } = places;
  const { lock } = IN_DATA_DIR;
  const left = [basename(staging), basename(stagedDatabase), ...movedBefore(places)];
  // The root of a file system of its own has lost+found.
  const ours = [lock, `${lock}-journal`, ...left, "lost+found"];
  const names = (await orNull(readdir(dataDir))) ?? [];
  if (names.some((name) => !ours.includes(name))) {
    throw new Error(`DATA_DIR: ${dataDir} is not empty. Give it a new folder`);
  }
  const taken = ["", "-wal", "-journal"].map((suffix) => database + suffix).find((path) => existsSync(path));
  if (taken) throw new Error(`DATABASE_URL: there is ${taken} already`);
}

async function checkBackup(folder: string, { files, filesInApp }: Manifest): Promise<void> {
  for (const entry of files) {
    const found = await orNull(measureFile(join(folder, entry.path)));
    if (!found) throw new Error(`The backup is damaged: ${entry.path} is missing`);
    requireSame(entry, found);
  }
  const database = openToRead(join(folder, IN_DATA_DIR.database));
  try {
    checkDatabase(database);
    if ((filesInApp ?? null) !== appWithFiles(database))
      throw new Error(
        "The backup is damaged: its manifest and its database name different places of its files",
      );
    if (!filesInApp) checkStoredFiles(database, files);
  } finally {
    database.close();
  }
}

function requireSame({ path, bytes, sha256 }: ManifestEntry, found: Measured): void {
  if (found.bytes === bytes && found.sha256 === sha256) return;
  throw new Error(`The backup is damaged: ${path} is not as it was written`);
}

/** The database comes last, so that an interrupted restore leaves no store without files. */
async function restoreFiles(folder: string, { files }: Manifest, places: Places): Promise<void> {
  const { dataDir, database, staging, stagedDatabase } = places;
  await clear(places);
  try {
    await mkdir(staging);
    for (const entry of files) {
      const isDatabase = entry.path === IN_DATA_DIR.database;
      const target = isDatabase ? stagedDatabase : join(staging, entry.path);
      requireSame(entry, await copyAndSync(join(folder, entry.path), target));
    }
    await syncFolders(staging);
    for (const name of await readdir(staging)) await rename(join(staging, name), join(dataDir, name));
    await syncFolder(dataDir);
    await rename(stagedDatabase, database);
    await syncFolder(dirname(database));
  } finally {
    await clear(places);
  }
}

/** Removes what an interrupted restore left. */
async function clear(places: Places): Promise<void> {
  const { dataDir, staging, stagedDatabase } = places;
  const moved = movedBefore(places).map((name) => join(dataDir, name));
  for (const path of [...moved, staging, stagedDatabase]) await rm(path, { recursive: true, force: true });
}
