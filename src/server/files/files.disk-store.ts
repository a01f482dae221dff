import { createHash, randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { access, mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AppError } from "../errors.ts";
import { tooLarge } from "./files.errors.ts";
import type { FileStore, StagedFile } from "./files.store.ts";

/**
 * Keeps files in `folder`. A file arrives in `incoming/` and is moved once it is whole and on the disk; what a
 * crash left in `incoming/` is cleared away here. While its record is not written yet, its key stands in `keeping/`.
 */
export async function createDiskStore(folder: string): Promise<FileStore> {
  const incoming = join(folder, "incoming");
  await rm(incoming, { recursive: true, force: true });
  await mkdir(incoming, { recursive: true });
  await mkdir(join(folder, "keeping"), { recursive: true });

  return {
    async stage(body, maxBytes) {
      const path = join(incoming, `${randomUUID()}.part`);
      try {
        const { bytes, sha256 } = await receive(body, path, maxBytes);
        return stagedFile(path, bytes, sha256, folder);
      } catch (error) {
        await remove(path);
        throw error;
      }
    },
    async read(key, range) {
      const file = await open(keptPath(folder, key)).catch(toNotFound);
      return file.createReadStream(range);
    },
    async withLocalFile(key, use) {
      const path = keptPath(folder, key);
      await access(path).catch(toNotFound);
      return use(path);
    },
    async dropUnrecorded(isRecorded) {
      for (const key of await readdir(join(folder, "keeping"))) {
        if (!(await isRecorded(key))) await remove(keptPath(folder, key));
        await remove(join(folder, "keeping", key));
      }
    },
    remove: async (key) => remove(keptPath(folder, key)),
  };
}

/** Writes the body to `path` and to the disk under it, counting and hashing on the way. */
async function receive(body: Readable, path: string, maxBytes: number) {
  const hash = createHash("sha256");
  let bytes = 0;
  async function* measured(source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw tooLarge(maxBytes);
      hash.update(chunk);
      yield chunk;
    }
  }
  await pipeline(body, measured, createWriteStream(path, { flags: "wx", flush: true }));
  return { bytes, sha256: hash.digest("hex") };
}

function stagedFile(path: string, bytes: number, sha256: string, folder: string): StagedFile {
  return {
    path,
    bytes,
    sha256,
    async keep(key, record) {
      const target = keptPath(folder, key);
      const note = join(folder, "keeping", key);
      try {
        await writeFile(note, "");
        await syncFolder(dirname(note));
        await makeFolders(dirname(target));
        await rename(path, target);
        await syncFolder(dirname(target));
        await record();
      } catch (error) {
        await remove(target);
        await remove(note);
        throw error;
      }
      await remove(note);
    },
    discard: () => remove(path),
  };
}

/** Where `folder` holds the file of this key: below two levels of folders, so that none grows too large to list. */
export function keptPath(folder: string, key: string): string {
  if (!/^[\w-]{8,64}$/.test(key)) throw new Error(`not a key of the file store: ${key}`);
  return join(folder, "kept", key.slice(0, 2), key.slice(2, 4), key);
}

/** Makes the folder, and writes each one that had to be made into its parent on the disk. */
async function makeFolders(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (!first) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** A rename is only certain to outlive a power cut once its folder is on the disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function remove(path: string): Promise<void> {
  await rm(path, { force: true });
}

function toNotFound(error: NodeJS.ErrnoException): never {
  if (error.code === "ENOENT")
    throw new AppError("NOT_FOUND", "The file is no longer here", { cause: error });
  throw error;
}
