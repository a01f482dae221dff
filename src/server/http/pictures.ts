import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import type { Sharp } from "sharp";
import { onFirstUse } from "#shared/on-first-use.ts";
import { MAX_PHOTO_BYTES } from "#shared/photos.ts";
import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { FairLimit, type Share } from "../lib/fair-limit.ts";
import type { BodyLimit } from "./limits.ts";

/** Accepted types of pictures and their names. */
const PICTURES = { "image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WebP" } as const;
export type PictureType = keyof typeof PICTURES;

/** More pixels than any phone camera produces; a picture that declares more is a decompression bomb. */
const MAX_PIXELS = 120_000_000;
const LARGEST: BodyLimit = { kind: "picture", bytes: MAX_PHOTO_BYTES };
const choiceFormat = onFirstUse(() => new Intl.ListFormat("en-GB", { type: "disjunction" }));

/** Allows more photos than one report of a printing error may have. */
const SHARE: Share = { things: "photos", atOnce: 1, waiting: 6, hourlyMs: 5 * 60 * 1000 };
/** One at a time, because decoding a large picture takes a hundred megabytes. */
const limit = new FairLimit({ workers: 1, share: SHARE, maxWaiting: 8 });

/**
 * Encodes a picture of one of these types again, one at a time, which removes its metadata. Throws UNSUPPORTED_TYPE,
 * UNREADABLE_FILE, RATE_LIMITED if the account exceeds its share, and any AppError of `encode`.
 */
export async function reencode<Encoded>(
  { path, account }: Picture,
  types: readonly PictureType[],
  encode: (image: Sharp) => Promise<Encoded>,
): Promise<Encoded> {
  try {
    return await limit.run({ account }, async () => {
      // Both libraries are slow to load and use much memory: they are loaded at their first use.
      const { fileTypeFromFile } = await import("file-type");
      const type = await fileTypeFromFile(path);
      if (!types.some((wanted) => wanted === type?.mime)) {
        const names = choiceFormat().format(types.map((wanted) => PICTURES[wanted]));
        throw new AppError("UNSUPPORTED_TYPE", `This is not a picture. Please choose a ${names} file`);
      }
      const { default: sharp } = await import("sharp");
      return encode(sharp(await readFile(path), { limitInputPixels: MAX_PIXELS, failOn: "error" }));
    });
  } catch (error) {
    if (error instanceof AppError) throw error;
    const message = "The picture cannot be read. Please save it again, or choose another one";
    throw new AppError("UNREADABLE_FILE", message, { cause: error });
  }
}

/** An uploaded picture in a local file. */
export interface Picture {
  path: string;
  account: string;
}

/**
 * Receives a picture, scans it for malware and returns the result of `encode`. Throws RATE_LIMITED before reading anything,
 * STORAGE_FULL, TOO_LARGE, INFECTED, or UNAVAILABLE if it cannot be scanned.
 */
export async function receivePicture<Encoded>(
  {
    scanner,
    files,
    diskSpace,
    contentLength,
  }: Pick<Context, "scanner" | "files" | "diskSpace" | "contentLength">,
  body: ReadableStream<Uint8Array>,
  account: string,
  encode: (picture: Picture) => Promise<Encoded>,
): Promise<Encoded> {
  limit.check(account);
  return diskSpace.during(account, contentLength ?? MAX_PHOTO_BYTES, async () => {
    const { path, discard } = await files.receive(Readable.fromWeb(body as WebStream<Uint8Array>), LARGEST);
    try {
      await scanner.scan({ name: "The picture", content: path });
      return await encode({ path, account });
    } finally {
      await discard();
    }
  });
}

/**
 * Removes deleted pictures, one after the other. One that cannot be removed is tried again the next time, and keeps others only
 * where the file store does not answer. Throws the first error.
 */
export async function removeEach(keys: string[], remove: (key: string) => Promise<void>): Promise<void> {
  const failures: unknown[] = [];
  for (const key of keys) {
    try {
      await remove(key);
    } catch (error) {
      failures.push(error);
      if (error instanceof AppError) break;
    }
  }
  if (failures.length > 0) throw failures[0];
}
