import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "./files.folders.ts";

/** How a file is kept: `keep` it and `record` it, or `undo` what that did. */
interface Keeping {
  keep(): Promise<void>;
  record(): Promise<void>;
  undo(): Promise<void>;
}

/** Notes of the files that are being kept. By them is found what a server leaves that dies before it records a file. */
export interface KeepingNotes {
  /** Keeps a file, under a note of its key. Throws what keeping it threw, and has undone it then. */
  during(key: string, keeping: Keeping): Promise<void>;
  /** Has `remove` delete what was kept without a record; nothing that is being kept at the moment. */
  settle(
    isRecorded: (key: string) => Promise<boolean>,
    remove: (key: string) => Promise<void>,
  ): Promise<void>;
}

/** Notes in `folder`, each on the disk before its file is kept. */
export async function openKeepingNotes(folder: string): Promise<KeepingNotes> {
  await mkdir(folder, { recursive: true });
  const underWay = new Set<string>();
  const forget = (key: string) => rm(join(folder, key), { force: true });

  async function keepUnderNote(key: string, { keep, record, undo }: Keeping): Promise<void> {
    await writeFile(join(folder, key), "");
    await syncFolder(folder);
    try {
      await keep();
      await record();
    } catch (error) {
      const isUndone = await undo().then(yes, no);
      if (isUndone) await forget(key);
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
        if (!(await isRecorded(key))) await remove(key);
        await forget(key);
      }
    },
  };
}

const yes = () => true;
const no = () => false;
