import { mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";

const DONE = ".done";

/** Notes of which files are at UploadThing, or may be in part, on the disk before anything happens there. */
export interface MovingNotes {
  /** By key: whether the file was read back as it should be. */
  readonly noted: ReadonlyMap<string, "begun" | "done">;
  begin(key: string): Promise<void>;
  finish(key: string): Promise<void>;
  forget(key: string): Promise<void>;
  clear(): Promise<void>;
}

export async function openMovingNotes(folder: string): Promise<MovingNotes> {
  await mkdir(folder, { recursive: true });
  const noted = new Map<string, "begun" | "done">();
  for (const name of await readdir(folder)) {
    if (name.endsWith(DONE)) noted.set(name.slice(0, -DONE.length), "done");
    else noted.set(name, "begun");
  }
  return {
    noted,
    async begin(key) {
      await writeFile(join(folder, key), "");
      await sync(folder);
    },
    finish: (key) => rename(join(folder, key), join(folder, key + DONE)),
    async forget(key) {
      for (const name of [key, key + DONE]) await rm(join(folder, name), { force: true });
    },
    clear: () => rm(folder, { recursive: true, force: true }),
  };
}

async function sync(folder: string): Promise<void> {
  const handle = await open(folder);
  await handle.sync().finally(() => handle.close());
}
