import { existsSync } from "node:fs";
import { mkdir, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import pLimit from "p-limit";
import type { Db } from "#db/database.ts";
import { AppError } from "#server/errors.ts";
import { storedPath } from "#server/files/storage/file-store.ts";
import type { UploadThingFiles } from "#server/files/storage/uploadthing.ts";
import { IN_DATA_DIR } from "#server/lib/data-dir.ts";
import { photoFiles } from "#server/shops/photos.service.ts";
import { photoHash } from "#shared/photos.ts";
import { type Measured, measure, measureFile, orNull, syncFolder } from "../backup/stored-files.ts";

const AT_ONCE = 4;
const FILES_PER_LINE = 100;

/** Counts of files; `bytes` is what this run moved. */
export interface Outcome {
  moved: number;
  already: number;
  bytes: number;
  missing: number;
}

interface Move {
  db: Db;
  remote: UploadThingFiles;
  progress: MoveProgress;
  printLine(line: string): void;
  outcome: Outcome;
}

/**
 * Copies every file to UploadThing and reads it back to compare its SHA-256. Deletes there what an earlier run copied and
 * the store has deleted since.
 */
export async function copyFiles(move: Move, files: ListedFile[]): Promise<void> {
  await deleteUnneeded(move, files);
  const damaged: string[] = [];
  const limit = pLimit({ concurrency: AT_ONCE, rejectOnClear: true });
  const copies = files.map((file, index) =>
    limit(async () => {
      if (index > 0 && index % FILES_PER_LINE === 0) move.printLine(`${index} of ${files.length} files`);
      if (!(await copyFile(move, file))) damaged.push(file.path);
    }),
  );
  // Waits for running copies, so that nothing continues after the caller has received an error.
  await Promise.all(copies).catch(async (error: unknown) => {
    limit.clearQueue();
    await Promise.allSettled(copies);
    throw error;
  });
  if (damaged.length > 0)
    throw new Error(
      `DATA_DIR: ${damaged.length} of the store's files are missing or not what was uploaded, such as ${damaged[0]}`,
    );
}

/** Deletes what an earlier run copied and nothing refers to any more. */
async function deleteUnneeded({ db, remote, progress }: Move, files: ListedFile[]): Promise<void> {
  const wanted = new Set(files.map(({ key }) => key));
  for (const key of progress.states.keys()) {
    if (wanted.has(key)) continue;
    await remote.remove(key);
    // A photo with a row would not be uploaded again.
    await db.deleteFrom("shop_photos").where("storage_key", "=", key).execute();
    await progress.forget(key);
  }
}

/** False if the file is damaged on the disk, or missing although somebody needs it. */
async function copyFile(move: Move, file: ListedFile): Promise<boolean> {
  const { db, remote, progress, outcome } = move;
  const state = progress.states.get(file.key);
  if (state === "done") {
    outcome.already++;
    return true;
  }
  const local = await orNull(measureFile(file.path));
  if (!local) {
    if (file.isNeeded) return false;
    outcome.missing++;
    return true;
  }
  if (file.sha256 !== null && file.sha256 !== local.sha256) return false;
  await progress.begin(file.key);
  const isThere = state === "begun" && (await isWhole(remote, file.key, local));
  if (!isThere) await uploadAndVerify(remote, file, local, state === "begun");
  if (file.image) await recordPhoto(db, file.key, file.image);
  await progress.finish(file.key);
  outcome.moved++;
  outcome.bytes += local.bytes;
  return true;
}

async function uploadAndVerify(
  remote: UploadThingFiles,
  { key, path }: ListedFile,
  local: Measured,
  isBegun: boolean,
): Promise<void> {
  await remote.upload({ key, path, bytes: local.bytes }, { isBegun });
  if (!(await isWhole(remote, key, local)))
    throw new Error(`What UploadThing gives back for ${path} is not what was sent`);
}

async function isWhole(remote: UploadThingFiles, key: string, { bytes, sha256 }: Measured): Promise<boolean> {
  try {
    const there = await measure(await remote.read(key));
    return there.bytes === bytes && there.sha256 === sha256;
  } catch (error) {
    if (error instanceof AppError && error.code === "NOT_FOUND") return false;
    throw error;
  }
}

async function recordPhoto(db: Db, key: string, image: string): Promise<void> {
  await db
    .insertInto("shop_photos")
    .values({ storage_key: key, image, kept_at: new Date().toISOString(), deleted_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** A file that the store refers to. */
interface ListedFile {
  /** Key in the file store. */
  key: string;
  /** Its path on the disk. */
  path: string;
  /** SHA-256 in hex; null if not recorded. */
  sha256: string | null;
  /** Whether it belongs to an order, a report or a shop; any other is deleted within a day anyway. */
  isNeeded: boolean;
  /** For a shop's photo, the path under which it is served. */
  image?: string;
}

/** All files to move: uploads, photos of printing errors and photos of shops. */
export async function listFiles(db: Db, dataDir: string): Promise<ListedFile[]> {
  const folder = join(dataDir, IN_DATA_DIR.files);
  const uploads = await db
    .selectFrom("files")
    .select(["id as key", "sha256", "order_id"])
    .where("deleted_at", "is", null)
    .execute();
  const reportPhotos = await db
    .selectFrom("reprint_photos")
    .select(["id as key", "reprint_id"])
    .where("deleted_at", "is", null)
    .execute();
  const shops = await db.selectFrom("shops").select("image").distinct().execute();
  return [
    ...uploads.map(({ key, sha256, order_id }) => ({
      key,
      path: storedPath(folder, key),
      sha256,
      isNeeded: order_id !== null,
    })),
    ...reportPhotos.map(({ key, reprint_id }) => ({
      key,
      path: storedPath(folder, key),
      sha256: null,
      isNeeded: reprint_id !== null,
    })),
    ...shops.flatMap(({ image }) => shopPhoto(dataDir, image)),
  ];
}

/** Empty for a picture that is part of the program. */
function shopPhoto(dataDir: string, image: string): ListedFile[] {
  const hash = photoHash(image);
  if (!hash) return [];
  const path = join(dataDir, IN_DATA_DIR.shopPhotos, photoFiles(hash).large);
  return [{ key: `shop-photo-${hash}`, path, sha256: null, isNeeded: true, image }];
}

/** The names in a folder; none where there is none. */
async function namesIn(folder: string): Promise<string[]> {
  return existsSync(folder) ? await readdir(folder) : [];
}

const DONE = ".done";

/** A journal on the disk of the files that are, or may partly be, in one app at UploadThing; written before each copy. */
interface MoveProgress {
  /** Apps to which earlier runs have copied files. */
  readonly otherApps: string[];
  /** By key: whether the file was read back unchanged. */
  readonly states: ReadonlyMap<string, "begun" | "done">;
  begin(key: string): Promise<void>;
  finish(key: string): Promise<void>;
  forget(key: string): Promise<void>;
  clear(): Promise<void>;
}

export async function openMoveProgress(parent: string, appId: string): Promise<MoveProgress> {
  const folder = join(parent, appId);
  const states = new Map<string, "begun" | "done">();
  for (const name of await namesIn(folder)) {
    if (name.endsWith(DONE)) states.set(name.slice(0, -DONE.length), "done");
    else states.set(name, "begun");
  }
  return {
    otherApps: (await namesIn(parent)).filter((name) => name !== appId),
    states,
    async begin(key) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, key), "");
      await syncFolder(folder);
    },
    finish: (key) => rename(join(folder, key), join(folder, key + DONE)),
    async forget(key) {
      for (const name of [key, key + DONE]) await rm(join(folder, name), { force: true });
    },
    clear: () => rm(parent, { recursive: true, force: true }),
  };
}
