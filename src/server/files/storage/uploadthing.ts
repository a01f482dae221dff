import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import type { UploadThingSettings } from "../../config.ts";
import { AppError } from "../../errors.ts";
import { isKey } from "./disk.ts";
import { openStaging, type SharedNotes } from "./pending-uploads.ts";
import type { FileStore, StoredRange } from "./storage.types.ts";
import { createUploadThingClient, UnexpectedAnswer } from "./uploadthing-client.ts";
import { openDownload, uploadFrom } from "./uploadthing-transfer.ts";

/**
 * Keeps files at UploadThing. A file arrives in `folder` as on the disk, is inspected there and then uploaded; what has to
 * be a local file is downloaded into `folder` for as long as it is needed. Every read is one with a signed URL.
 */
export async function createUploadThingStore(
  folder: string,
  settings: UploadThingSettings,
  { notes, log }: { notes: SharedNotes; log: Logger },
  patience?: UploadThingPatience,
): Promise<FileStore> {
  const { upload, read, remove } = tellFailures(await openUploadThing(settings, patience), log);
  const lent = join(folder, "lent");
  await rm(lent, { recursive: true, force: true });
  await mkdir(lent, { recursive: true });

  const receive = await openStaging(join(folder, "incoming"));

  return {
    isShared: true,
    receive,
    async stage(body, { key, maxBytes }) {
      const arrived = await receive(body, { kind: "file", bytes: maxBytes });
      const keep = () => upload({ key, path: arrived.path, bytes: arrived.bytes });
      const undo = () => remove(key);
      return {
        ...arrived,
        keep: (record) => arrived.synced.then(() => notes.during(key, { keep, record, undo })),
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
    dropUnrecorded: (isRecorded) => notes.settle(isRecorded, remove),
    remove,
  };
}

/** Has the log say why an upload or a read failed: people are told only that it did. */
function tellFailures(files: UploadThingFiles, log: Logger): UploadThingFiles {
  const tell = (error: unknown): never => {
    if (error instanceof AppError && error.code === "UNAVAILABLE")
      log.error({ err: error }, "UploadThing did not do what it was asked for");
    throw error;
  };
  return {
    upload: (file, options) => files.upload(file, options).catch(tell),
    read: (key, range) => files.read(key, range).catch(tell),
    remove: files.remove,
  };
}

/** How long UploadThing may keep the store waiting, in ms. */
interface UploadThingPatience {
  /** Without a byte. */
  pauseMs: number;
  /** For a whole answer of its API. */
  requestMs: number;
}
const PATIENCE: UploadThingPatience = { pauseMs: 15_000, requestMs: 10_000 };

/** The store does not say what its files are. */
const TYPE = "application/octet-stream";

/** A file of this machine that is to be at UploadThing under `key`. */
export interface LocalFile {
  key: string;
  path: string;
  bytes: number;
}

/** The files of one app at UploadThing, by the store's keys. Throws UNAVAILABLE when it does not do what it should. */
export interface UploadThingFiles {
  /** `isBegun`: a part of it may have been uploaded before. */
  upload(file: LocalFile, options?: { isBegun: boolean }): Promise<void>;
  /** Throws NOT_FOUND when it is gone. */
  read(key: string, range?: StoredRange): Promise<Readable>;
  remove(key: string): Promise<void>;
}

export async function openUploadThing(
  settings: UploadThingSettings,
  { pauseMs, requestMs } = PATIENCE,
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

/** What UploadThing did, or an AppError that says to people that it did not. */
async function orUnavailable<Result>(doing: Promise<Result>): Promise<Result> {
  return doing.catch((error: unknown) => {
    if (error instanceof AppError || isLocal(error)) throw error;
    const message = "The place where files are kept does not answer. Please try again soon";
    throw new AppError("UNAVAILABLE", message, { cause: error });
  });
}

function toNotFound(error: unknown): never {
  if (error instanceof UnexpectedAnswer && error.status === 404)
    throw new AppError("NOT_FOUND", "The file is no longer here", { cause: error });
  throw error;
}

/** Failures of this machine's disk are its own. */
function isLocal(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === "ENOSPC" || code === "EDQUOT";
}
