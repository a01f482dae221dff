import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { Readable } from "node:stream";
import { isDatabaseUnavailable } from "#db/errors.ts";
import type { Deps } from "../../context.ts";
import { type BodyLimit, tooLarge } from "../../http/limits.ts";
import { deleteKeeping, findSilentKeepings, insertKeeping, renewKeeping } from "./storage.queries.ts";
import type { StagedFile } from "./storage.types.ts";

const MB = 1024 * 1024;
/** What arrives is written in pieces of this length: so much an upload holds whose sender has stopped, and one write is handed to another thread for it. */
const PIECE_BYTES = MB / 8;
/** After so much the disk is given what there is, so that little is left to wait for once the file is whole. */
const SYNC_EVERY_BYTES = 4 * MB;

/** A file that lies to the side: what a staged one is but for how it is kept. */
interface ArrivedFile extends Omit<StagedFile, "keep"> {
  /** Until all of it is on the disk. Whoever needs that hears of a failure. */
  synced: Promise<void>;
}

type Receive = (body: Readable, limit: BodyLimit) => Promise<ArrivedFile>;

/**
 * Where files arrive: in `folder`, from which is cleared away what a crash left there. While a file is still written to
 * the disk under it, it can be looked at already. Throws TOO_LARGE past `limit`; nothing is left behind then.
 */
export async function openStaging(folder: string): Promise<Receive> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return async (body, limit) => {
    const path = join(folder, `${randomUUID()}.part`);
    const remove = () => rm(path, { force: true });
    const file = new GrowingFile(await open(path, "wx"));
    try {
      const written = await write(body, file, limit);
      const synced = file.finish();
      return { path, ...written, synced, discard: () => synced.then(remove, remove) };
    } catch (error) {
      await file.giveUp();
      await remove();
      throw error;
    }
  };
}

/** Writes the body to the file, and gives its length and its SHA-256 in hex. */
async function write(
  body: Readable,
  file: GrowingFile,
  limit: BodyLimit,
): Promise<{ bytes: number; sha256: string }> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > limit.bytes) throw tooLarge(limit);
    hash.update(chunk);
    await file.append(chunk);
  }
  await file.flush();
  return { bytes, sha256: hash.digest("hex") };
}

/** A file that is written to, and to the disk under it, while more of it arrives. */
class GrowingFile {
  readonly #file: FileHandle;
  #chunks: Buffer[] = [];
  #bytes = 0;
  #writing: Promise<void> = Promise.resolve();
  #unsynced = 0;
  #isSyncing = false;
  #synced: Promise<void> = Promise.resolve();

  constructor(file: FileHandle) {
    this.#file = file;
  }

  /** Takes a chunk, and waits where the one before last is not written yet. */
  async append(chunk: Buffer): Promise<void> {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes >= PIECE_BYTES) await this.#writePiece();
  }

  /** Until everything is written, though not to the disk. */
  async flush(): Promise<void> {
    await this.#writePiece();
    await this.#writing;
  }

  /** Until everything is on the disk. Nothing can be appended any more. */
  finish(): Promise<void> {
    const synced = this.#synced.then(() => this.#file.sync()).finally(() => this.#file.close());
    synced.catch(() => {});
    return synced;
  }

  /** Closes it as it is. */
  async giveUp(): Promise<void> {
    await Promise.allSettled([this.#writing, this.#synced]);
    await this.#file.close();
  }

  async #writePiece(): Promise<void> {
    await this.#writing;
    this.#writing = this.#writeAll(this.#chunks, this.#bytes);
    this.#writing.catch(() => {});
    this.#unsynced += this.#bytes;
    this.#chunks = [];
    this.#bytes = 0;
    if (this.#unsynced >= SYNC_EVERY_BYTES && !this.#isSyncing) this.#syncAhead();
  }

  async #writeAll(chunks: Buffer[], bytes: number): Promise<void> {
    const { bytesWritten } = await this.#file.writev(chunks);
    // The system may take less than it was given; given the rest, it takes that or says why not.
    if (bytesWritten < bytes) await this.#file.appendFile(Buffer.concat(chunks).subarray(bytesWritten));
  }

  #syncAhead(): void {
    this.#unsynced = 0;
    this.#isSyncing = true;
    this.#synced = this.#file.datasync().then(() => {
      this.#isSyncing = false;
    });
    this.#synced.catch(() => {});
  }
}

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
    // A note that cannot be removed says nothing of a recorded file: the next `settle` removes it.
    await this.#notes.remove(this.#key).catch(ignore);
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

/** Makes the folder, and writes each one that had to be made into its parent on the disk. */
async function makeFolders(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true });
  if (!first) return;
  for (let made = folder; made.length >= first.length; made = dirname(made)) await syncFolder(dirname(made));
}

/** A rename is only certain to outlive a power cut once its folder is on the disk. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

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

/** How a file is kept: `keep` it and `record` it, or `undo` what that did. */
interface Keeping {
  keep(): Promise<void>;
  record(): Promise<void>;
  undo(): Promise<void>;
}

/** Notes of the files that are being kept. By them is found what a server leaves that dies before it records a file. */
export interface SharedNotes {
  /** Keeps a file, under a note of its key. Throws what keeping it threw, and has undone it then. */
  during(key: string, keeping: Keeping): Promise<void>;
  /** Has `remove` delete what was kept without a record; nothing that is being kept at the moment. */
  settle(
    isRecorded: (key: string) => Promise<boolean>,
    remove: (key: string) => Promise<void>,
  ): Promise<void>;
}

/** Whoever is keeping a file says so. For so long after the last word, bytes of it may still arrive. */
const SIGN_OF_LIFE_MS = 60 * 1000;
const SILENCE_MS = 10 * 60 * 1000;

/** Notes in the database: what a server leaves that dies for good, any other clears away. */
export function createSharedNotes({ db, now }: Pick<Deps, "db" | "now">): SharedNotes {
  const renew = (key: string) => renewKeeping(db, key, now().toISOString());
  return {
    async during(key, { keep, record, undo }) {
      await insertKeeping(db, key, now().toISOString());
      const signs = setInterval(() => void renew(key).catch(() => {}), SIGN_OF_LIFE_MS);
      try {
        await keep();
        if (!(await renew(key))) throw new Error(`${key} was cleared away while it was being kept`);
        await record();
      } catch (error) {
        // The note stays until nothing can arrive any more; and a commit without an answer may count.
        if (!isDatabaseUnavailable(error)) await undo().catch(() => {});
        throw error;
      } finally {
        clearInterval(signs);
      }
      await deleteKeeping(db, key).catch(() => {});
    },
    async settle(isRecorded, remove) {
      const before = new Date(now().getTime() - SILENCE_MS);
      for (const key of await findSilentKeepings(db, before.toISOString())) {
        if (!(await isRecorded(key))) await remove(key);
        await deleteKeeping(db, key);
      }
    },
  };
}
