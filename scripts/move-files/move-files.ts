import { join } from "node:path";
import { migrate } from "#db/migrate.ts";
import { type Database, openDatabase } from "#db/open.ts";
import type { Config } from "#server/config.ts";
import { IN_DATA_DIR } from "#server/data-dir.ts";
import { lockDataDir } from "#server/data-dir-lock.ts";
import { createDiskStore } from "#server/files/files.disk-store.ts";
import { areFilesOnDisk, leaveDisk, settleHome } from "#server/files/files.home.service.ts";
import { openUploadThing } from "#server/files/uploadthing.files.ts";
import { clearDisk, isKnown } from "./clear-disk.ts";
import { copyFiles, type Outcome } from "./copy-files.ts";
import { listFiles } from "./listed-files.ts";
import { openMovingNotes } from "./moving-notes.ts";

/** What is given to each step. */
export type Tell = (line: string) => void;

/**
 * Moves a store's files from its data folder to UploadThing while no server runs. Until the last of them is there and has
 * been read back, the disk is their home; only then are they deleted on it. Whatever interrupts it, it goes on where it was.
 * Throws, and changes nothing else, when a file is damaged or UploadThing does not answer.
 */
export async function moveFiles(config: Config, tell: Tell): Promise<Outcome> {
  if (!config.uploadThing) throw new Error("UPLOADTHING_TOKEN: set it to where the files are to go");
  const unlock = lockDataDir(config.dataDir);
  try {
    const database = await openDatabase(config.databaseUrl, { poolSize: config.databasePoolSize });
    return await moveIn(database, config, config.uploadThing, tell).finally(() => database.close());
  } finally {
    unlock();
  }
}

async function moveIn(
  { db, cluster }: Database,
  config: Config,
  uploadThing: NonNullable<Config["uploadThing"]>,
  tell: Tell,
): Promise<Outcome> {
  const isAlone = !cluster || (await cluster.join({ alone: true }));
  if (!isAlone) throw new Error("DATABASE_URL: a server uses this database. Stop it first");
  await migrate(db);
  const folder = join(config.dataDir, IN_DATA_DIR.files);
  const notes = await openMovingNotes(join(folder, "moving"));
  const outcome: Outcome = { moved: 0, already: 0, bytes: 0, missing: 0 };
  if (await areFilesOnDisk(db)) {
    await (await createDiskStore(folder)).dropUnrecorded((key) => isKnown(db, key));
    const remote = await openUploadThing(uploadThing);
    await copyFiles({ db, remote, notes, tell, outcome }, await listFiles(db, config.dataDir));
    await leaveDisk(db, config);
  }
  // By now they are at UploadThing; another app's token is refused here.
  await settleHome(db, config);
  await clearDisk(db, folder, tell);
  await notes.clear();
  return outcome;
}
