import { randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { type BodyLimit, tooLarge } from "../http/limits.ts";
import type { StagedFile } from "./files.store.ts";

const MB = 1024 * 1024;
/** What arrives is written in pieces of this length, for each write has to be handed to another thread. */
const PIECE_BYTES = MB / 2;
/** After so much the disk is given what there is, so that little is left to wait for once the file is whole. */
const SYNC_EVERY_BYTES = 4 * MB;

/** A file that lies to the side: what a staged one is but for how it is kept. */
export interface ArrivedFile extends Omit<StagedFile, "keep"> {
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
      const bytes = await write(body, file, limit);
      const synced = file.finish();
      return { path, bytes, synced, discard: () => synced.then(remove, remove) };
    } catch (error) {
      await file.giveUp();
      await remove();
      throw error;
    }
  };
}

/** Writes the body to the file, and gives its length. */
async function write(body: Readable, file: GrowingFile, limit: BodyLimit): Promise<number> {
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > limit.bytes) throw tooLarge(limit);
    await file.append(chunk);
  }
  await file.flush();
  return bytes;
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
