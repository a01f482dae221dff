import { createHash, randomUUID } from "node:crypto";
import { type FileHandle, mkdir, open, readdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { isDatabaseUnavailable } from "#db/errors.ts";
import { MINUTE_MS } from "#shared/durations.ts";
import type { Deps } from "../../context.ts";
import { type BodyLimit, tooLarge } from "../../http/limits.ts";
import { removeEach } from "../../lib/jobs.ts";
import {
  deletePendingUpload,
  findStalePendingUploads,
  insertPendingUpload,
  renewPendingUpload,
} from "./storage.queries.ts";

/** A body that has arrived in full, as a file of this machine. */
export interface ReceivedFile {
  /** Its bytes are synced to the disk. */
  path: string;
  bytes: number;
  /** Of its content, in hex. */
  sha256: string;
  /** Deletes it. Safe to call when it is gone. */
  discard(): Promise<void>;
}

type Receive = (body: Readable, limit: BodyLimit) => Promise<ReceivedFile>;

/**
 * Returns what streams bodies into files of `folder`. Half-written files that a crash left there are removed first. Throws
 * TOO_LARGE past `limit`, or the error of the body or the disk; nothing is left behind then.
 */
export async function openStaging(folder: string): Promise<Receive> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  return async (body, limit) => {
    const path = join(folder, `${randomUUID()}.part`);
    const discard = () => rm(path, { force: true });
    const file = await open(path, "wx");
    try {
      const written = await write(body, file, limit).finally(() => file.close());
      return { path, ...written, discard };
    } catch (error) {
      await discard();
      throw error;
    }
  };
}

/** Writes the body to the file and syncs it to the disk. */
async function write(
  body: Readable,
  file: FileHandle,
  limit: BodyLimit,
): Promise<Pick<ReceivedFile, "bytes" | "sha256">> {
  const hash = createHash("sha256");
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > limit.bytes) throw tooLarge(limit);
    hash.update(chunk);
    await file.writeFile(chunk);
  }
  await file.sync();
  return { bytes, sha256: hash.digest("hex") };
}

/** How an upload gets into the store, and is recorded in the database. */
interface UploadSteps {
  /** Puts the file into the store. */
  store(): Promise<void>;
  /** Writes its row. */
  record(): Promise<void>;
  /** Takes the file out of the store again. */
  undo(): Promise<void>;
}

/**
 * The keys of uploads that are being stored and are not recorded yet. A server that dies in between leaves a file that no
 * row names; its key tells the next cleanup what to remove.
 */
export interface PendingUploads {
  /** Runs `store` and then `record` while the key is listed. Throws what they throw; the file is removed then. */
  during(key: string, steps: UploadSteps): Promise<void>;
  /**
   * Calls `remove` for each listed file that has no record and that no server is storing at the moment. Throws as `removeEach`
   * does.
   */
  removeAbandoned(
    isRecorded: (key: string) => Promise<boolean>,
    remove: (key: string) => Promise<void>,
  ): Promise<void>;
}

/** Lists pending uploads as empty files in `folder`, for a store on this machine's disk. */
export async function openPendingFolder(folder: string): Promise<PendingUploads> {
  await mkdir(folder, { recursive: true });
  const underWay = new Set<string>();
  const unlist = (key: string) => rm(join(folder, key), { force: true });
  return {
    async during(key, { store, record, undo }) {
      underWay.add(key);
      try {
        await writeFile(join(folder, key), "");
        await syncFolder(folder);
        await store();
        await record();
      } catch (error) {
        // Without the database's answer the row may be there: the next cleanup finds out.
        if (!isDatabaseUnavailable(error))
          await undo()
            .then(() => unlist(key))
            .catch(ignore);
        throw error;
      } finally {
        underWay.delete(key);
      }
      // If that fails, the next cleanup does it.
      await unlist(key).catch(ignore);
    },
    async removeAbandoned(isRecorded, remove) {
      await removeEach(await readdir(folder), async (key) => {
        if (underWay.has(key)) return;
        if (!(await isRecorded(key))) await remove(key);
        await unlist(key);
      });
    },
  };
}

/** A server that is storing a file says so this often. */
const HEARTBEAT_MS = MINUTE_MS;
/** Bytes of a file may still arrive at UploadThing so long after the last heartbeat. */
const STALE_MS = 10 * MINUTE_MS;

/** Lists pending uploads in the database, for a store that several servers share: any of them removes what a dead one left. */
export function createPendingRows({ db, now }: Pick<Deps, "db" | "now">): PendingUploads {
  const renew = (key: string) => renewPendingUpload(db, key, now().toISOString());
  return {
    async during(key, { store, record, undo }) {
      await insertPendingUpload(db, key, now().toISOString());
      const heartbeat = setInterval(() => void renew(key).catch(ignore), HEARTBEAT_MS);
      try {
        await store();
        if (!(await renew(key))) throw new Error(`${key} was removed while it was being stored`);
        await record();
      } catch (error) {
        // The row stays until nothing can arrive any more.
        if (!isDatabaseUnavailable(error)) await undo().catch(ignore);
        throw error;
      } finally {
        clearInterval(heartbeat);
      }
      await deletePendingUpload(db, key).catch(ignore);
    },
    async removeAbandoned(isRecorded, remove) {
      const before = new Date(now().getTime() - STALE_MS);
      await removeEach(await findStalePendingUploads(db, before.toISOString()), async (key) => {
        if (!(await isRecorded(key))) await remove(key);
        await deletePendingUpload(db, key);
      });
    },
  };
}

/** A new or renamed entry of a folder is only certain to outlive a power cut once the folder is on the disk. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function ignore(): void {}
