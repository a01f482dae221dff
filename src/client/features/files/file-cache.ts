import { del, get, set } from "idb-keyval";
import { fileStore, isStillOwner, onPersonalDataCleared } from "#ui/personal-data.ts";

/*
 * The bytes of files that are not uploaded yet, and small pictures of first pages, kept in the browser so that a
 * reload loses none. A browser that forbids it only means that a file must be chosen again after a reload.
 */
/** The files of this visit; a picked file is only a reference, so keeping it costs nothing. */
const opened = new Map<string, Blob>();
onPersonalDataCleared(() => opened.clear());

export async function cacheFile(owner: string, key: string, file: Blob): Promise<void> {
  if (!isStillOwner(owner)) return;
  opened.set(key, file);
  await attempt(() => set(`file:${key}`, file, fileStore));
}

/** The file's bytes, when this browser still has them. */
export async function findCachedFile(key: string): Promise<Blob | null> {
  const kept = opened.get(key) ?? (await attempt(() => get<Blob>(`file:${key}`, fileStore)));
  if (kept) opened.set(key, kept);
  return kept ?? null;
}

/** Gives the room on the device back; the file stays at hand until the page is left. */
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
