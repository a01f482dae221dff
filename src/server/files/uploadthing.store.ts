import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { AppError } from "../errors.ts";
import type { UploadThingSettings } from "../uploadthing-settings.ts";
import { isKey } from "./files.disk-store.ts";
import { openKeepingNotes } from "./files.keeping-notes.ts";
import { openStaging } from "./files.staging.ts";
import type { FileStore, StoredRange } from "./files.store.ts";
import { createUploadThingClient } from "./uploadthing.client.ts";
import { openDownload } from "./uploadthing.download.ts";
import { UnexpectedAnswer } from "./uploadthing.requests.ts";
import { uploadFrom } from "./uploadthing.upload.ts";

/** How long UploadThing may keep the store waiting, in ms. */
export interface UploadThingPatience {
  /** Without a byte. */
  pauseMs: number;
  /** For a whole answer of its API. */
  requestMs: number;
}
const PATIENCE: UploadThingPatience = { pauseMs: 15_000, requestMs: 10_000 };

/** For so long after a failure a file may still arrive there. */
const GRACE_MS = 10 * 60 * 1000;
/** The store does not say what its files are. */
const TYPE = "application/octet-stream";

/**
 * Keeps files at UploadThing. A file arrives in `folder` as on the disk, is inspected there and then uploaded; what has to
 * be a local file is downloaded into `folder` for as long as it is needed. Every read is one with a signed URL.
 */
export async function createUploadThingStore(
  folder: string,
  settings: UploadThingSettings,
  { pauseMs, requestMs } = PATIENCE,
): Promise<FileStore> {
  const client = await createUploadThingClient(settings, requestMs);
  const lent = join(folder, "lent");
  await rm(lent, { recursive: true, force: true });
  await mkdir(lent, { recursive: true });

  const remove = (key: string) => orUnavailable(client.delete(checked(key)));
  const notes = await openKeepingNotes(join(folder, "keeping"), GRACE_MS);
  const stage = await openStaging(join(folder, "incoming"), ({ path, bytes }) => async (key, record) => {
    const url = await client.signUpload(checked(key), bytes, TYPE);
    const keep = async () => {
      await orUnavailable(uploadFrom({ url, path, bytes, type: TYPE, pauseMs }));
      await record();
    };
    return notes.during(key, { keep, undo: () => remove(key) });
  });

  async function read(key: string, range?: StoredRange): Promise<Readable> {
    checked(key);
    const sign = () => client.signDownload(key);
    return orUnavailable(openDownload({ sign, range, pauseMs }).catch(toNotFound));
  }

  return {
    isShared: true,
    stage,
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

function checked(key: string): string {
  if (!isKey(key)) throw new Error(`not a key of the file store: ${key}`);
  return key;
}

/** What UploadThing did, or an AppError that says to people that it did not. */
async function orUnavailable<Result>(doing: Promise<Result>): Promise<Result> {
  return doing.catch((error: unknown) => {
    if (error instanceof AppError || isLocal(error)) throw error;
    throw new AppError(
      "UNAVAILABLE",
      "The place where files are kept does not answer. Please try again soon",
      {
        cause: error,
      },
    );
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
