import { rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { makeFolders, syncFolder } from "./files.folders.ts";
import type { KeepingNotes } from "./files.keeping-notes.ts";
import type { ArrivedFile } from "./files.staging.ts";

/** Where a file will lie that still arrives: meanwhile its note is written, and the folders to it are made. */
export class DiskPlace {
  readonly #path: string;
  readonly #key: string;
  readonly #notes: KeepingNotes;
  readonly #prepared: Promise<unknown>;
  #isTaken = false;

  constructor(path: string, key: string, notes: KeepingNotes) {
    this.#path = path;
    this.#key = key;
    this.#notes = notes;
    this.#prepared = Promise.all([notes.write(key), makeFolders(dirname(path))]);
    this.#prepared.catch(ignore);
  }

  /** Moves the file there, for certain, and has it recorded; takes it away again where either fails. */
  async take({ path, synced }: ArrivedFile, record: () => Promise<void>): Promise<void> {
    this.#isTaken = true;
    try {
      await Promise.all([this.#prepared, synced]);
      await rename(path, this.#path);
      await syncFolder(dirname(this.#path));
      await record();
    } catch (error) {
      await this.#undo();
      throw error;
    }
    // Of a file that is recorded the note says nothing any more, so nobody waits until it is gone.
    this.#notes.remove(this.#key).catch(ignore);
  }

  /** No file comes, unless one has. */
  async abandon(): Promise<void> {
    if (this.#isTaken) return;
    await this.#prepared.catch(ignore);
    await this.#notes.remove(this.#key);
  }

  /** Where that fails too, it is left to the next sweep. */
  async #undo(): Promise<void> {
    try {
      await rm(this.#path, { force: true });
      await this.#notes.remove(this.#key);
    } catch {
      this.#notes.leave(this.#key);
    }
  }
}

function ignore(): void {}
