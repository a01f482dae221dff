import { access, mkdir, open, rename, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { AppError } from "../../errors.ts";
import type { BodyLimit } from "../../http/limits.ts";
import { openPendingFolder, openStaging, type ReceivedFile, syncFolder } from "./pending-uploads.ts";

/** A received file that can become one of the store's. */
export interface StagedFile extends ReceivedFile {
  /** Stores it and then runs `record`; where either fails it is not stored. `path` may no longer exist afterwards. */
  commit(record: () => Promise<void>): Promise<void>;
}

export interface StoredRange {
  /** First and last byte, both included. */
  start: number;
  end: number;
}

/**
 * Where uploaded documents live. Keys are made by the server and never come from outside; none is used twice. A store
 * that is not on this machine throws UNAVAILABLE when it does not answer.
 */
export interface FileStore {
  /** Whether every server on the database sees the same files. */
  readonly isShared: boolean;
  /** Streams a body that will not be stored as it came to a local file. Throws TOO_LARGE past `limit`. */
  receive(body: Readable, limit: BodyLimit): Promise<ReceivedFile>;
  /** Streams a body that may be stored under `key` to a local file. Throws TOO_LARGE past `maxBytes`; leaves nothing behind then. */
  stage(body: Readable, as: { key: string; maxBytes: number }): Promise<StagedFile>;
  /** Reads a stored file, or a range of it. Throws NOT_FOUND when it is gone. */
  read(key: string, range?: StoredRange): Promise<Readable>;
  /** Runs `use` with the path of a stored file on this machine, which is good until `use` is done. Throws NOT_FOUND when it is gone. */
  withLocalFile<T>(key: string, use: (path: string) => Promise<T>): Promise<T>;
  /** Deletes what a server stored and did not record, because it died or its database failed. */
  removeAbandoned(isRecorded: (key: string) => Promise<boolean>): Promise<void>;
  /** Deletes a stored file; a missing one counts as deleted. Throws any other error where this one cannot be deleted. */
  remove(key: string): Promise<void>;
}

/** Stores files in `folder`: they arrive in `incoming/`, and are moved to `stored/` while their key is in `pending/`. */
export async function createDiskStore(folder: string): Promise<FileStore> {
  const remove = (key: string) => rm(storedPath(folder, key), { force: true });
  const pending = await openPendingFolder(join(folder, "pending"));
  const receive = await openStaging(join(folder, "incoming"));

  return {
    isShared: false,
    receive,
    async stage(body, { key, maxBytes }) {
      const target = storedPath(folder, key);
      const received = await receive(body, { kind: "file", bytes: maxBytes });
      const store = () => moveTo(target, received.path);
      return {
        ...received,
        commit: (record) => pending.during(key, { store, record, undo: () => remove(key) }),
      };
    },
    async read(key, range) {
      const file = await open(storedPath(folder, key)).catch(toNotFound);
      return file.createReadStream(range);
    },
    async withLocalFile(key, use) {
      const path = storedPath(folder, key);
      const requireThere = () => access(path).catch(toNotFound);
      await requireThere();
      return use(path).catch(async (error: unknown) => {
        // It may have been deleted meanwhile, which explains every failure.
        await requireThere();
        throw error;
      });
    },
    removeAbandoned: (isRecorded) => pending.removeAbandoned(isRecorded, remove),
    remove: async (key) => remove(key),
  };
}

/** Moves a file that is on the disk so that it is found there after a power cut too. */
async function moveTo(target: string, path: string): Promise<void> {
  const folder = dirname(target);
  const first = await mkdir(folder, { recursive: true });
  // Each folder that had to be made is written into its parent.
  if (first)
    for (let made = folder; made.length >= first.length; made = dirname(made))
      await syncFolder(dirname(made));
  await rename(path, target);
  await syncFolder(folder);
}

/** Path of the file with this key: two levels of folders keep each of them small enough to list. */
export function storedPath(folder: string, key: string): string {
  if (!isKey(key)) throw new Error(`not a key of the file store: ${key}`);
  return join(folder, "stored", key.slice(0, 2), key.slice(2, 4), key);
}

/** Whether it can name a file of a store, and no other place. */
export function isKey(key: string): boolean {
  return /^[\w-]{8,64}$/.test(key);
}

function toNotFound(error: NodeJS.ErrnoException): never {
  if (error.code === "ENOENT")
    throw new AppError("NOT_FOUND", "The file is no longer here", { cause: error });
  throw error;
}
