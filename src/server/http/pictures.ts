import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import type { ReadableStream as WebStream } from "node:stream/web";
import type { Metadata, Sharp } from "sharp";
import { MINUTE_MS } from "#shared/durations.ts";
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
/** Wider than any panorama of a phone. To make a picture of a million by fifty pixels smaller takes gigabytes. */
const MAX_SIDE = 30_000;
/** Memory for decoding a picture. A server with all its other work has 1 GB (`deploy/print-store.service`). */
const MAX_DECODED_BYTES = 400_000_000;
const LARGEST: BodyLimit = { kind: "picture", bytes: MAX_PHOTO_BYTES };
const choiceFormat = onFirstUse(() => new Intl.ListFormat("en-GB", { type: "disjunction" }));

/** Allows more photos than one report of a printing error may have. */
const SHARE: Share = { things: "photos", atOnce: 1, waiting: 6, hourlyMs: 5 * MINUTE_MS };
/** One at a time, because a picture may take all of MAX_DECODED_BYTES. */
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
      const bytes = withoutTexts(await readFile(path));
      const image = sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error" });
      // Reads only the header.
      const header = await image.metadata();
      if (Math.max(header.width, header.height) > MAX_SIDE || decodedBytes(header) > MAX_DECODED_BYTES) {
        const message =
          "The picture is too large to read. Please save it with fewer pixels, or choose another one";
        throw new AppError("UNREADABLE_FILE", message);
      }
      return encode(image);
    });
  } catch (error) {
    if (error instanceof AppError) throw error;
    const message = "The picture cannot be read. Please save it again, or choose another one";
    throw new AppError("UNREADABLE_FILE", message, { cause: error });
  }
}

/**
 * The most memory that libvips needs to decode it. An interlaced PNG is held whole, with one or two bytes a channel; of a
 * progressive JPEG all coefficients, of two bytes; of a WebP red, green, blue and transparency.
 */
function decodedBytes({ format, width, height, channels, depth, isProgressive }: Metadata): number {
  if (format === "webp") return width * height * 4;
  const isWide = depth === "ushort" || (format === "jpeg" && isProgressive);
  return width * height * channels * (isWide ? 2 : 1);
}

const PNG_SIGNATURE = Buffer.from("89504e470d0a1a0a", "hex");
const PNG_TEXTS = ["tEXt", "zTXt", "iTXt"];
/** Encoders make chunks of 4 kB and more. */
const MAX_CHUNKS = 10_000;

/**
 * A PNG without its texts: already the header's may unpack to gigabytes, 8 MB each. Other pictures stay as they are. Throws for
 * one of more than MAX_CHUNKS.
 */
function withoutTexts(picture: Buffer): Buffer {
  if (!picture.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return picture;
  const kept: Buffer[] = [PNG_SIGNATURE];
  let start = PNG_SIGNATURE.length;
  for (let chunks = 1; start + 8 <= picture.length; chunks++) {
    if (chunks > MAX_CHUNKS) throw new Error("a PNG of too many chunks");
    // The length of the data, a type of four letters, the data, and a check sum of four bytes.
    const end = start + 12 + picture.readUInt32BE(start);
    const type = picture.toString("latin1", start + 4, start + 8);
    if (!PNG_TEXTS.includes(type)) kept.push(picture.subarray(start, end));
    start = end;
  }
  return Buffer.concat(kept);
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
