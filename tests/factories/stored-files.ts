import { access, mkdir, readdir, readlink, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import type { TestStore } from "../setup/test-store.ts";

/** Whether the file store still has the bytes of this file. */
export function isOnDisk(store: TestStore, fileId: string): Promise<boolean> {
  return access(pathOf(store, fileId)).then(
    () => true,
    () => false,
  );
}

/** Replaces the file by a folder, which file removal cannot delete. Returns a function that restores the file. */
export async function makeUnremovable(store: TestStore, fileId: string): Promise<() => Promise<void>> {
  const path = pathOf(store, fileId);
  await rename(path, `${path}.aside`);
  await mkdir(path);
  return async () => {
    await rm(path, { recursive: true });
    await rename(`${path}.aside`, path);
  };
}

/** The path of this file's bytes on disk. */
export function pathOf({ deps }: TestStore, fileId: string): string {
  return join(deps.config.dataDir, "files/stored", fileId.slice(0, 2), fileId.slice(2, 4), fileId);
}

/** Stored files that this process has open; always none where the system does not tell. */
export function openFilesOf({ dataDir }: TestStore): Promise<string[]> {
  return openFilesIn(join(dataDir, "files"));
}

/** The same of any folder, with those that are deleted. */
export async function openFilesIn(folder: string): Promise<string[]> {
  const descriptors = await readdir("/proc/self/fd").catch(() => []);
  const paths = await Promise.all(descriptors.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => "")));
  return paths.filter((open) => open.startsWith(folder));
}
