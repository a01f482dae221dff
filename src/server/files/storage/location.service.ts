import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Db } from "#db/open.ts";
import type { Config } from "../../config.ts";
import type { Deps } from "../../context.ts";
import { IN_DATA_DIR } from "../../lib/data-dir.ts";
import { hasShopPhotos } from "../../shops/photos.service.ts";
import { createDiskStore } from "./disk.ts";
import { createSharedNotes } from "./pending-uploads.ts";
import {
  changeLocation,
  findLocation,
  hasReportPhotos,
  hasUploads,
  insertLocation,
} from "./storage.queries.ts";
import type { FileStore } from "./storage.types.ts";

const DISK = "disk";
const AT_UPLOADTHING = "uploadthing ";

type Settings = Pick<Config, "uploadThing">;

/**
 * Sees to it that the store's files are where the settings say. A store without files goes to any home; one with files
 * stays, for what is not found counts as deleted. Throws an Error of one line where the settings name another home.
 */
export async function settleStorageLocation(db: Db, settings: Settings): Promise<void> {
  const wanted = homeOf(settings);
  const isEmpty = !(await hasFiles(db));
  await insertLocation(db, isEmpty ? wanted : DISK);
  const home = (await findLocation(db)) ?? DISK;
  if (home === wanted) return;
  if (!isEmpty) throw new Error(`UPLOADTHING_TOKEN: ${refusal(home)}`);
  await changeLocation(db, { from: home, to: wanted });
}

/** Whether the store's files are on the disk of its server. */
export async function areFilesOnDisk(db: Db): Promise<boolean> {
  return ((await findLocation(db)) ?? DISK) === DISK;
}

/** Notes that all files are at UploadThing from now on. */
export async function leaveDisk(db: Db, settings: Settings): Promise<void> {
  await insertLocation(db, DISK);
  await changeLocation(db, { from: DISK, to: homeOf(settings) });
}

function homeOf({ uploadThing }: Settings): string {
  return uploadThing ? AT_UPLOADTHING + uploadThing.appId : DISK;
}

/** The app at UploadThing that is noted as the home of a store's files; null for the disk. */
export function appOfLocation(home: string): string | null {
  return home.startsWith(AT_UPLOADTHING) ? home.slice(AT_UPLOADTHING.length) : null;
}

function refusal(home: string): string {
  const app = appOfLocation(home);
  if (app) return `this store's files are at UploadThing, in the app ${app}. Give a token of that app`;
  return "this store's files are on the disk. Move them first, with npm run move-files, or start without it";
}

async function hasFiles(db: Db): Promise<boolean> {
  return (await hasUploads(db)) || (await hasReportPhotos(db)) || hasShopPhotos(db);
}

/**
 * Opens the home of the files that the settings name. UploadThing's code is only loaded where it is needed. Throws an Error
 * of one line where files are to be at UploadThing and some still lie on this disk.
 */
export async function openFileStore(
  { dataDir, uploadThing }: Pick<Config, "dataDir" | "uploadThing">,
  deps: Pick<Deps, "db" | "now" | "log">,
): Promise<FileStore> {
  const folder = join(dataDir, IN_DATA_DIR.files);
  if (!uploadThing) return createDiskStore(folder);
  if (await holdsFiles(join(folder, "kept")))
    throw new Error(`UPLOADTHING_TOKEN: files still lie in ${join(folder, "kept")}. Run npm run move-files`);
  const { createUploadThingStore } = await import("./uploadthing.ts");
  return createUploadThingStore(folder, uploadThing, { notes: createSharedNotes(deps), log: deps.log });
}

async function holdsFiles(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.some((entry) => entry.isFile());
}
