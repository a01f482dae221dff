import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "./files.folders.ts";

/** How a file is kept: `keep` it and have it recorded, or `undo` what that did. */
interface Keeping {
  keep(): Promise<void>;
  undo(): Promise<void>;
}

/** Notes of the files that are being kept. By them is found what a server leaves that dies before it records a file. */
export interface KeepingNotes {
  /** Keeps a file, under a note of its key. Throws what `keep` throws, and has undone it then. */
  during(key: string, keeping: Keeping): Promise<void>;
  /** Has `remove` delete what was kept without a record; nothing that is being kept at the moment. */
  settle(
    isRecorded: (key: string) => Promise<boolean>,
    remove: (key: string) => Promise<void>,
  ): Promise<void>;
}

/**
 * Notes in `folder`, each on the disk before its file is kept. What has no record is removed again and again until its
 * note is `graceMs` old: where a file goes by way of a network, its last bytes may arrive after the first removal.
 */
export async function openKeepingNotes(folder: string, graceMs = 0): Promise<KeepingNotes> {
  await mkdir(folder, { recursive: true });
  const underWay = new Set<string>();
  const forget = (key: string) => rm(join(folder, key), { force: true });

  async function keepUnderNote(key: string, { keep, undo }: Keeping): Promise<void> {
    await writeFile(join(folder, key), "");
    await syncFolder(folder);
    try {
      await keep();
    } catch (error) {
      const isUndone = await undo().then(yes, no);
      if (isUndone && graceMs === 0) await forget(key);
      throw error;
    }
    await forget(key);
  }

  return {
    async during(key, keeping) {
      underWay.add(key);
      try {
        await keepUnderNote(key, keeping);
      } finally {
        underWay.delete(key);
      }
    },
    async settle(isRecorded, remove) {
      for (const key of await readdir(folder)) {
        if (underWay.has(key)) continue;
        const isThere = await isRecorded(key);
        if (!isThere) await remove(key);
        if (isThere || (await ageOf(join(folder, key))) >= graceMs) await forget(key);
      }
    },
  };
}

const yes = () => true;
const no = () => false;

/** In ms, since it was written; without end where it is gone. */
async function ageOf(path: string): Promise<number> {
  const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: 0 }));
  return Date.now() - mtimeMs;
}
