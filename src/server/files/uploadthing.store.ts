import { randomUUID } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Logger } from "pino";
import { AppError } from "../errors.ts";
import type { UploadThingSettings } from "../uploadthing-settings.ts";
import type { SharedNotes } from "./files.shared-notes.ts";
import { openStaging } from "./files.staging.ts";
import type { FileStore } from "./files.store.ts";
import {
  openUploadThing,
  orUnavailable,
  type UploadThingFiles,
  type UploadThingPatience,
} from "./uploadthing.files.ts";

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
