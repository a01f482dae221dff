import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import pLimit from "p-limit";
import type { Db } from "#db/open.ts";
import { AppError } from "#server/errors.ts";
import type { UploadThingFiles } from "#server/files/uploadthing.files.ts";
import { orNull } from "../backup/sources.ts";
import { type Measured, measureFile } from "../backup/whole-files.ts";
import type { ListedFile } from "./listed-files.ts";
import type { MovingNotes } from "./moving-notes.ts";

const AT_ONCE = 4;
const TELL_EVERY = 100;

/** Counts of files; `bytes` are those that were moved this time. */
export interface Outcome {
  moved: number;
  already: number;
  bytes: number;
  missing: number;
}

export interface Move {
  db: Db;
  remote: UploadThingFiles;
  notes: MovingNotes;
  tell(line: string): void;
  outcome: Outcome;
}

/**
 * Has every file at UploadThing, each read back with the SHA-256 that it had at its upload, and nothing there that an
 * earlier run brought and that the store has deleted since.
 */
export async function copyFiles(move: Move, files: ListedFile[]): Promise<void> {
  await takeBack(move, files);
  const damaged: string[] = [];
  const limit = pLimit({ concurrency: AT_ONCE, rejectOnClear: true });
  const copies = files.map((file, index) =>
    limit(async () => {
      if (index > 0 && index % TELL_EVERY === 0) move.tell(`${index} of ${files.length} files`);
      if (!(await copyFile(move, file))) damaged.push(file.path);
    }),
  );
  // What is under way is let end, so that nothing goes on once the caller has given up.
  await Promise.all(copies).catch(async (error: unknown) => {
    limit.clearQueue();
    await Promise.allSettled(copies);
    throw error;
  });
  if (damaged.length > 0)
    throw new Error(`${damaged.length} files on the disk are not what was uploaded, such as ${damaged[0]}`);
}

/** Deletes what an earlier run brought and nobody counts on any more. */
async function takeBack({ remote, notes }: Move, files: ListedFile[]): Promise<void> {
  const wanted = new Set(files.map(({ key }) => key));
  for (const key of notes.noted.keys()) {
    if (wanted.has(key)) continue;
    await remote.remove(key);
    await notes.forget(key);
  }
}

/** False where the file is damaged on the disk. */
async function copyFile(move: Move, file: ListedFile): Promise<boolean> {
  const { db, remote, notes, outcome } = move;
  const state = notes.noted.get(file.key);
  if (state === "done") {
    outcome.already++;
    return true;
  }
  const local = await orNull(measureFile(file.path));
  if (!local) {
    outcome.missing++;
    return true;
  }
  if (file.sha256 !== null && file.sha256 !== local.sha256) return false;
  await notes.begin(file.key);
  const isThere = state === "begun" && (await isWhole(remote, file.key, local));
  if (!isThere) await bring(remote, file, local, state === "begun");
  if (file.image) await recordPhoto(db, file.key, file.image);
  await notes.finish(file.key);
  outcome.moved++;
  outcome.bytes += local.bytes;
  return true;
}

async function bring(
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

async function measure(body: Readable): Promise<Measured> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    hash.update(chunk);
  }
  return { bytes, sha256: hash.digest("hex") };
}

async function recordPhoto(db: Db, key: string, image: string): Promise<void> {
  await db
    .insertInto("shop_photos")
    .values({ storage_key: key, image, kept_at: new Date().toISOString(), deleted_at: null })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
