import { access, open, rm } from "node:fs/promises";
import { join } from "node:path";
import { AppError } from "../../errors.ts";
import { DiskPlace, KeepingNotes, openStaging } from "./pending-uploads.ts";
import type { FileStore } from "./storage.types.ts";

/**
 * Keeps files in `folder`. A file arrives in `incoming/` and is moved once it is whole and on the disk. Until its record is
 * written, its key stands in `keeping/`. That, and the folders that it will lie in, are made while it arrives.
 */
export async function createDiskStore(folder: string): Promise<FileStore> {
  const remove = (key: string) => rm(storedPath(folder, key), { force: true });
  const notes = await KeepingNotes.open(join(folder, "keeping"));
  const receive = await openStaging(join(folder, "incoming"));

  return {
    isShared: false,
    receive,
    async stage(body, { key, maxBytes }) {
      const place = new DiskPlace(storedPath(folder, key), key, notes);
      try {
        const arrived = await receive(body, { kind: "file", bytes: maxBytes });
        return {
          ...arrived,
          keep: (record) => place.take(arrived, record),
          discard: () => arrived.discard().then(() => place.abandon()),
        };
      } catch (error) {
        await place.abandon();
        throw error;
      }
    },
    async read(key, range) {
      const file = await open(storedPath(folder, key)).catch(toNotFound);
      return file.createReadStream(range);
    },
    async withLocalFile(key, use) {
      const path = storedPath(folder, key);
      await access(path).catch(toNotFound);
      return use(path);
    },
    dropUnrecorded: (isRecorded) => notes.settle(isRecorded, remove),
    remove: async (key) => remove(key),
  };
}

/** Where `folder` holds the file of this key: below two levels of folders, so that none grows too large to list. */
export function storedPath(folder: string, key: string): string {
  if (!isKey(key)) throw new Error(`not a key of the file store: ${key}`);
  return join(folder, "kept", key.slice(0, 2), key.slice(2, 4), key);
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
