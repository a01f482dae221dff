import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import type { UploadThingSettings } from "../../config.ts";
import { AppError } from "../../errors.ts";
import { type FileStore, isKey, type StoredRange } from "./file-store.ts";
import { openStaging, type PendingUploads } from "./pending-uploads.ts";
import {
  createUploadThingClient,
  DeletionRefused,
  openDownload,
  UnexpectedAnswer,
  uploadFrom,
} from "./uploadthing-client.ts";

/**
 * Stores files at UploadThing. A file arrives in `folder`, is inspected there and then uploaded. Where a local file is
 * needed, it is downloaded into `folder` until it has been used. Every read uses a signed URL.
 */
export async function createUploadThingStore(
  folder: string,
  settings: UploadThingSettings,
  { pending, log }: { pending: PendingUploads; log: Logger },
  timeouts?: UploadThingTimeouts,
): Promise<FileStore> {
  const { upload, read, remove } = logFailures(await openUploadThing(settings, timeouts), log);
  const lent = join(folder, "lent");
  await rm(lent, { recursive: true, force: true });
  await mkdir(lent, { recursive: true });

  const receive = await openStaging(join(folder, "incoming"));

  return {
    isShared: true,
    receive,
    async stage(body, { key, maxBytes }) {
      const received = await receive(body, { kind: "file", bytes: maxBytes });
      const store = () => upload({ key, path: received.path, bytes: received.bytes });
      return {
        ...received,
        commit: (record) => pending.during(key, { store, record, undo: () => remove(key) }),
      };
    },
    read,
    async withLocalFile(key, use) {
      const path = join(lent, `${randomUUID()}.part`);
      try {
        await orUnavailable(pipeline(await read(key), createWriteStream(path, { flags: "wx" })));
        return await use(path);
      } finally {
        await rm(path, { force: true });
      }
    },
    removeAbandoned: (isRecorded) => pending.removeAbandoned(isRecorded, remove),
    remove,
  };
}

/** Logs why an upload or a read failed: people only read that it did. */
function logFailures(files: UploadThingFiles, log: Logger): UploadThingFiles {
  const logAndThrow = (error: unknown): never => {
    if (error instanceof AppError && error.code === "UNAVAILABLE")
      log.error({ err: error }, "a request to UploadThing failed");
    throw error;
  };
  return {
    upload: (file, options) => files.upload(file, options).catch(logAndThrow),
    read: (key, range) => files.read(key, range).catch(logAndThrow),
    remove: files.remove,
  };
}

/** Time limits of requests to UploadThing, in ms. */
interface UploadThingTimeouts {
  /** Between two bytes. */
  pauseMs: number;
  /** For a whole response of its API. */
  requestMs: number;
}
const TIMEOUTS: UploadThingTimeouts = { pauseMs: 15_000, requestMs: 10_000 };

/** Types are not told to UploadThing: every file is a download. */
const TYPE = "application/octet-stream";

/** A file of this machine that is uploaded under `key`. */
interface LocalFile {
  key: string;
  path: string;
  bytes: number;
}

/** The files of one app at UploadThing, by the store's keys. Throws UNAVAILABLE when a request fails. */
export interface UploadThingFiles {
  /** `isBegun`: a part of it may have been uploaded before. */
  upload(file: LocalFile, options?: { isBegun: boolean }): Promise<void>;
  /** Throws NOT_FOUND when it is gone. */
  read(key: string, range?: StoredRange): Promise<Readable>;
  /** Throws DeletionRefused where only this file is not deleted. */
  remove(key: string): Promise<void>;
}

export async function openUploadThing(
  settings: UploadThingSettings,
  { pauseMs, requestMs } = TIMEOUTS,
): Promise<UploadThingFiles> {
  const client = await createUploadThingClient(settings, requestMs);
  return {
    async upload({ key, path, bytes }, { isBegun } = { isBegun: false }) {
      const url = client.signUpload(checked(key), bytes, TYPE);
      await orUnavailable(uploadFrom({ url, path, bytes, type: TYPE, pauseMs, isBegun }));
    },
    async read(key, range) {
      checked(key);
      const sign = () => client.signDownload(key);
      return orUnavailable(openDownload({ sign, range, pauseMs }).catch(toNotFound));
    },
    remove: async (key) => orUnavailable(client.delete(checked(key))),
  };
}

function checked(key: string): string {
  if (!isKey(key)) throw new Error(`not a key of the file store: ${key}`);
  return key;
}

/** Turns failures of UploadThing into UNAVAILABLE; those of this machine and of one file stay as they are. */
async function orUnavailable<Result>(request: Promise<Result>): Promise<Result> {
  return request.catch((error: unknown) => {
    if (error instanceof AppError || error instanceof DeletionRefused || isLocal(error)) throw error;
    const message = "Our file storage does not answer at the moment. Please try again soon";
    throw new AppError("UNAVAILABLE", message, { cause: error });
  });
}

function toNotFound(error: unknown): never {
  if (error instanceof UnexpectedAnswer && error.status === 404)
    throw new AppError("NOT_FOUND", "The file is no longer here", { cause: error });
  throw error;
}

/** A full disk of this machine. */
function isLocal(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT";
}
