import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { Db } from "#db/database.ts";
import type { Config } from "../../config.ts";
import type { Deps } from "../../context.ts";
import { IN_DATA_DIR } from "../../lib/data-dir.ts";
import { hasShopPhotos } from "../../shops/photos.service.ts";
import { createDiskStore, type FileStore } from "./file-store.ts";
import { createPendingRows } from "./pending-uploads.ts";
import {
  changeLocation,
  findLocation,
  hasReportPhotos,
  hasUploads,
  insertLocation,
} from "./storage.queries.ts";

const DISK = "disk";
const AT_UPLOADTHING = "uploadthing ";

type Settings = Pick<Config, "uploadThing">;

/**
 * Checks that the store's files are where the settings say. A store without files may change its location; one with files
 * may not, because a file that is not found counts as deleted. Throws an Error of one line where the settings name another location.
 */
export async function checkStorageLocation(db: Db, settings: Settings): Promise<void> {
  const wanted = locationOf(settings);
  const isEmpty = !(await hasFiles(db));
  await insertLocation(db, isEmpty ? wanted : DISK);
  const location = (await findLocation(db)) ?? DISK;
  if (location === wanted) return;
  if (!isEmpty) throw new Error(`UPLOADTHING_TOKEN: ${refusal(location)}`);
  await changeLocation(db, { from: location, to: wanted });
}

/** Whether the store's files are on the disk of its server. */
export async function areFilesOnDisk(db: Db): Promise<boolean> {
  return ((await findLocation(db)) ?? DISK) === DISK;
}

/** Records that all files are at UploadThing from now on. */
export async function switchToUploadThing(db: Db, settings: Settings): Promise<void> {
  await insertLocation(db, DISK);
  await changeLocation(db, { from: DISK, to: locationOf(settings) });
}

function locationOf({ uploadThing }: Settings): string {
  return uploadThing ? AT_UPLOADTHING + uploadThing.appId : DISK;
}

/** The app at UploadThing that a location names; null for the disk. */
export function appOfLocation(location: string): string | null {
  return location.startsWith(AT_UPLOADTHING) ? location.slice(AT_UPLOADTHING.length) : null;
}

function refusal(location: string): string {
  const app = appOfLocation(location);
  if (app) return `this store's files are at UploadThing, in the app ${app}. Give a token of that app`;
  return "this store's files are on the disk. Move them first, with npm run move-files, or start without it";
}

async function hasFiles(db: Db): Promise<boolean> {
  return (await hasUploads(db)) || (await hasReportPhotos(db)) || hasShopPhotos(db);
}

/**
 * Opens the file store that the settings name. UploadThing's code is only loaded where it is needed. Throws an Error of one
 * line where files should be at UploadThing and some are still on this disk.
 */
export async function openFileStore(
  { dataDir, uploadThing }: Pick<Config, "dataDir" | "uploadThing">,
  deps: Pick<Deps, "db" | "now" | "log">,
): Promise<FileStore> {
  const folder = join(dataDir, IN_DATA_DIR.files);
  if (!uploadThing) return createDiskStore(folder);
  if (await holdsFiles(join(folder, "stored")))
    throw new Error(
      `UPLOADTHING_TOKEN: there are still files in ${join(folder, "stored")}. Run npm run move-files`,
    );
  const { createUploadThingStore } = await import("./uploadthing.ts");
  return createUploadThingStore(folder, uploadThing, { pending: createPendingRows(deps), log: deps.log });
}

async function holdsFiles(folder: string): Promise<boolean> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  return entries.some((entry) => entry.isFile());
}
