import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { syncFolder } from "./files.folders.ts";

/**
 * Notes in a folder of the files that are about to be kept, each on the disk before its file is kept. By them is found
 * what a server leaves that dies before it records a file.
 */
export class KeepingNotes {
  readonly #folder: string;
  readonly #underWay = new Set<string>();

  private constructor(folder: string) {
    this.#folder = folder;
  }

  static async open(folder: string): Promise<KeepingNotes> {
    await mkdir(folder, { recursive: true });
    return new KeepingNotes(folder);
  }

  async write(key: string): Promise<void> {
    this.#underWay.add(key);
    await writeFile(join(this.#folder, key), "");
    await syncFolder(this.#folder);
  }

  /** Once its file is recorded, or there is none. Where that fails it is left to the next `settle`. */
  async remove(key: string): Promise<void> {
    await rm(join(this.#folder, key), { force: true }).finally(() => this.leave(key));
  }

  /** Leaves the note to the next `settle`. */
  leave(key: string): void {
    this.#underWay.delete(key);
  }

  /** Has `remove` delete what was kept without a record; nothing that is being kept at the moment. */
  async settle(
    isRecorded: (key: string) => Promise<boolean>,
    remove: (key: string) => Promise<void>,
  ): Promise<void> {
    for (const key of await readdir(this.#folder)) {
      if (this.#underWay.has(key)) continue;
      if (!(await isRecorded(key))) await remove(key);
      await this.remove(key);
    }
  }
}
