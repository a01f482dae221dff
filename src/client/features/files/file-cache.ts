import { del, get, set } from "idb-keyval";
import { fileStore, isStillOwner, onPersonalDataCleared } from "#ui/personal-data.ts";

// Files that are not uploaded yet, and thumbnails, are cached in IndexedDB, so that they survive a reload. Where the browser
// forbids it, files must be chosen again after a reload.

/** The files that were used since the page was loaded. A picked file is only a reference and needs no memory. */
const opened = new Map<string, Blob>();
onPersonalDataCleared(() => opened.clear());

export async function cacheFile(owner: string, key: string, file: Blob): Promise<void> {
  if (!isStillOwner(owner)) return;
  opened.set(key, file);
  await attempt(() => set(`file:${key}`, file, fileStore));
}

/** The file's bytes; null if this browser no longer has them. */
export async function findCachedFile(key: string): Promise<Blob | null> {
  const kept = opened.get(key) ?? (await attempt(() => get<Blob>(`file:${key}`, fileStore)));
  if (kept) opened.set(key, kept);
  return kept ?? null;
}

/** Removes the copy on disk; the file stays in memory until the page is left. */
export async function removeStoredCopy(key: string): Promise<void> {
  await attempt(() => del(`file:${key}`, fileStore));
}

export async function removeCachedFile(key: string): Promise<void> {
  opened.delete(key);
  await removeStoredCopy(key);
  await attempt(() => del(`thumbnail:${key}`, fileStore));
}

export async function cacheThumbnail(owner: string | null, key: string, dataUrl: string): Promise<void> {
  if (isStillOwner(owner)) await attempt(() => set(`thumbnail:${key}`, dataUrl, fileStore));
}

export async function findThumbnail(key: string): Promise<string | null> {
  return (await attempt(() => get<string>(`thumbnail:${key}`, fileStore))) ?? null;
}

async function attempt<Result>(access: () => Promise<Result>): Promise<Result | undefined> {
  try {
    return await access();
  } catch {
    return undefined;
  }
}
