import type { Readable } from "node:stream";
import { AppError } from "../errors.ts";
import type { UploadThingSettings } from "../uploadthing-settings.ts";
import { isKey } from "./files.disk-store.ts";
import type { StoredRange } from "./files.store.ts";
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
      const url = await client.signUpload(checked(key), bytes, TYPE);
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
export async function orUnavailable<Result>(doing: Promise<Result>): Promise<Result> {
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
