import { createStore, promisifyRequest } from "idb-keyval";
import { DAY_MS } from "#shared/durations.ts";

/**
 * Files that other apps have shared with the store, kept on this device until their owner has chosen a shop. They are not
 * in `fileStore`, because those of nobody outlast a login.
 */
const store = createStore("print-store-shared", "shared");

export const MAX_SHARED_FILES = 20;
export const MAX_SHARED_BYTES = 200 * 1024 * 1024;
const KEPT_MS = DAY_MS;

export interface SharedFile {
  key: string;
  file: File;
  sharedAt: number;
  /** Who was logged in when it was shared, or has chosen it since; "" for nobody. */
  owner: string;
  /** Whether its owner has asked to print it. */
  isChosen: boolean;
}

/** Keeps what has room. @returns how many files were left out */
export function keepShared(files: readonly File[], owner: string): Promise<number> {
  return change((kept) => {
    const added: SharedFile[] = [];
    let bytes = kept.reduce((sum, { file }) => sum + file.size, 0);
    for (const file of files) {
      const hasRoom = kept.length + added.length < MAX_SHARED_FILES && bytes + file.size <= MAX_SHARED_BYTES;
      if (!hasRoom || file.size === 0) continue;
      bytes += file.size;
      added.push({ key: crypto.randomUUID(), file, sharedAt: Date.now(), owner, isChosen: false });
    }
    return { kept: [...kept, ...added], result: files.length - added.length };
  });
}

/** The files that this person, or "" for nobody, may see: their own and those of nobody. */
export function listShared(viewer: string): Promise<SharedFile[]> {
  return change((kept) => ({
    kept,
    result: kept.filter(({ owner, isChosen }) => !isChosen && (owner === "" || owner === viewer)),
  }));
}

/** Makes the listed files this person's, to be added to the next order that they prepare. */
export function chooseShared(keys: readonly string[], userId: string): Promise<void> {
  return change((kept) => ({
    kept: kept.map((each) => (keys.includes(each.key) ? { ...each, owner: userId, isChosen: true } : each)),
    result: undefined,
  }));
}

/** Hands out at most `room` files that this person has chosen, each once; the others wait for the next call. */
export function takeShared(userId: string, room: number): Promise<{ taken: File[]; waiting: File[] }> {
  return change((kept) => {
    const chosen = kept.filter(({ owner, isChosen }) => isChosen && owner === userId);
    const taken = chosen.slice(0, room);
    return {
      kept: kept.filter((each) => !taken.includes(each)),
      result: { taken: taken.map(({ file }) => file), waiting: chosen.slice(room).map(({ file }) => file) },
    };
  });
}

export function removeShared(mayGo: (shared: SharedFile) => boolean): Promise<void> {
  return change((kept) => ({ kept: kept.filter((each) => !mayGo(each)), result: undefined }));
}

/** Changes the files in one transaction; older ones are removed. Throws, with nothing changed, where the device is full. */
function change<Result>(
  update: (kept: SharedFile[]) => { kept: SharedFile[]; result: Result },
): Promise<Result> {
  return store("readwrite", async (objects) => {
    const committed = promisifyRequest(objects.transaction);
    // Where the device is full, `put` may throw first; then nobody waits for the transaction.
    committed.catch(() => {});
    const stored: SharedFile[] = await promisifyRequest(objects.getAll());
    const present = stored.filter(({ sharedAt }) => Date.now() - sharedAt < KEPT_MS);
    const { kept, result } = update(present);
    for (const { key } of stored) if (!kept.some((each) => each.key === key)) objects.delete(key);
    for (const each of kept) if (!stored.includes(each)) objects.put(each, each.key);
    await committed;
    return result;
  });
}
