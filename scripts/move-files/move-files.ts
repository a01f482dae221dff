import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Database, Db } from "#db/database.ts";
import { openMigrated } from "#db/migrate.ts";
import type { Config } from "#server/config.ts";
import { createDiskStore } from "#server/files/storage/file-store.ts";
import {
  areFilesOnDisk,
  checkStorageLocation,
  switchToUploadThing,
} from "#server/files/storage/location.service.ts";
import { openUploadThing } from "#server/files/storage/uploadthing.ts";
import { IN_DATA_DIR, lockDataDir } from "#server/lib/data-dir.ts";
import { copyFiles, listFiles, type Outcome, openMoveProgress } from "./copy-files.ts";

/** Prints a line of progress. */
type PrintLine = (line: string) => void;

/**
 * Moves a store's files from its data folder to UploadThing while no server runs. The disk stays their storage location
 * until the last of them has been read back from UploadThing; then they are deleted on the disk. It can be interrupted and
 * run again. Throws if a file is damaged or UploadThing does not answer.
 */
export async function moveFiles(config: Config, printLine: PrintLine): Promise<Outcome> {
  if (!config.uploadThing) throw new Error("UPLOADTHING_TOKEN: set it to where the files are to go");
  const database = await openMigrated(config.databaseUrl);
  try {
    const unlock = lockDataDir(config.dataDir);
    return await moveIn(database, config, config.uploadThing, printLine).finally(unlock);
  } finally {
    await database.close();
  }
}

async function moveIn(
  { db, cluster }: Database,
  config: Config,
  uploadThing: NonNullable<Config["uploadThing"]>,
  printLine: PrintLine,
): Promise<Outcome> {
  const isAlone = !cluster || (await cluster.join({ alone: true }));
  if (!isAlone) throw new Error("DATABASE_URL: a server uses this database. Stop it first");
  const folder = join(config.dataDir, IN_DATA_DIR.files);
  const progress = await openMoveProgress(join(folder, "moving"), uploadThing.appId);
  const outcome: Outcome = { moved: 0, already: 0, bytes: 0, missing: 0 };
  if (await areFilesOnDisk(db)) {
    await (await createDiskStore(folder)).removeAbandoned((key) => isKnown(db, key));
    const remote = await openUploadThing(uploadThing);
    await copyFiles({ db, remote, progress, printLine, outcome }, await listFiles(db, config.dataDir));
    if (outcome.missing > 0 && outcome.moved + outcome.already === 0)
      throw new Error(`DATA_DIR: none of the store's files is in ${config.dataDir}`);
    await switchToUploadThing(db, config);
  }
  // The files are at UploadThing now; a token of another app is refused here.
  await checkStorageLocation(db, config);
  await clearDisk(db, folder, printLine);
  for (const app of progress.otherApps)
    printLine(`An earlier run has copied files to UploadThing's app ${app}. They are still there`);
  await progress.clear();
  return outcome;
}

/**
 * Deletes on the disk the files that are now at UploadThing or were deleted before. Files that the database does not know
 * are moved to `unrecorded/` for somebody to look at.
 */
async function clearDisk(db: Db, folder: string, printLine: PrintLine): Promise<void> {
  const stored = join(folder, "stored");
  const aside = join(folder, "unrecorded");
  let unknown = 0;
  const entries = await readdir(stored, { recursive: true, withFileTypes: true }).catch(() => []);
  for (const entry of entries) {
    if (!entry.isFile() || (await isKnown(db, entry.name))) continue;
    await mkdir(aside, { recursive: true });
    await rename(join(entry.parentPath, entry.name), join(aside, entry.name));
    unknown++;
  }
  await rm(stored, { recursive: true, force: true });
  if (unknown > 0) printLine(`${unknown} files that the database does not know are in ${aside}`);
}

/** Whether the database has a file with this key, deleted or not. */
async function isKnown(db: Db, key: string): Promise<boolean> {
  const upload = await db.selectFrom("files").select("id").where("id", "=", key).executeTakeFirst();
  if (upload) return true;
  return (
    (await db.selectFrom("reprint_photos").select("id").where("id", "=", key).executeTakeFirst()) !==
    undefined
  );
}
