import { createHash } from "node:crypto";
import { constants } from "node:fs";
import { copyFile, type FileHandle, mkdir, open, readdir } from "node:fs/promises";
import { dirname, join } from "node:path";

export interface Measured {
  bytes: number;
  sha256: string;
}

/** Copies a file with the folders above it, and answers what the copy holds once that is on the disk. */
export async function copyWhole(source: string, target: string): Promise<Measured> {
  await mkdir(dirname(target), { recursive: true });
  await copyFile(source, target, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
  return withFile(target, async (copy) => {
    await copy.sync();
    return measure(copy);
  });
}

export function measureFile(path: string): Promise<Measured> {
  return withFile(path, measure);
}

/** Writes the entries of a folder and of all below it to the disk. */
export async function syncFolders(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) await syncFolders(join(folder, entry.name));
  }
  await syncFolder(folder);
}

export function syncFolder(folder: string): Promise<void> {
  return withFile(folder, (handle) => handle.sync());
}

async function measure(file: FileHandle): Promise<Measured> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of file.createReadStream({ autoClose: false })) {
    bytes += chunk.length;
    hash.update(chunk);
  }
  return { bytes, sha256: hash.digest("hex") };
}

async function withFile<Result>(path: string, use: (file: FileHandle) => Promise<Result>): Promise<Result> {
  const file = await open(path);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
}
