import type { Sharp } from "sharp";
import { onFirstUse } from "#shared/on-first-use.ts";
import { MAX_PHOTO_BYTES } from "#shared/photos.ts";
import type { Deps } from "./context.ts";
import { AppError } from "./errors.ts";
import { FairLimit, type Share } from "./fair-limit.ts";
import { loadFileType, loadSharp } from "./heavy-libraries.ts";
import { tooLarge } from "./http/limits.ts";

/** A kind of picture that is taken in, and what it is called. */
const PICTURES = { "image/png": "PNG", "image/jpeg": "JPEG", "image/webp": "WebP" } as const;
export type PictureType = keyof typeof PICTURES;

/** More than any phone's camera makes; a picture that says it has more is made to fill the memory. */
const MAX_PIXELS = 120_000_000;
const choiceFormat = onFirstUse(() => new Intl.ListFormat("en-GB", { type: "disjunction" }));

/** More than a report of a printing error may have. */
const SHARE: Share = { things: "photos", atOnce: 1, waiting: 6, hourlyMs: 5 * 60 * 1000 };
/** A large picture takes a hundred megabytes while it is decoded, and up to fifteen while it waits. */
const limit = new FairLimit({ workers: 1, share: SHARE, maxWaiting: 8 });

/**
 * Has a picture of one of these types encoded anew, one at a time: what it held beside the picture is left behind.
 * Throws UNSUPPORTED_TYPE, UNREADABLE_FILE, what `encode` throws as an AppError, or RATE_LIMITED where the account sent
 * more than its share.
 */
export async function encodeAnew<Encoded>(
  { bytes, account }: Picture,
  types: readonly PictureType[],
  encode: (image: Sharp) => Promise<Encoded>,
): Promise<Encoded> {
  const { fileTypeFromBuffer } = await loadFileType();
  const type = await fileTypeFromBuffer(bytes);
  if (!types.some((wanted) => wanted === type?.mime)) {
    const names = choiceFormat().format(types.map((wanted) => PICTURES[wanted]));
    throw new AppError("UNSUPPORTED_TYPE", `This is not a picture. Please choose a ${names} file`);
  }
  const sharp = await loadSharp();
  try {
    const open = () => sharp(bytes, { limitInputPixels: MAX_PIXELS, failOn: "error" });
    return await limit.run({ account }, () => encode(open()));
  } catch (error) {
    if (error instanceof AppError) throw error;
    const message = "The picture cannot be read. Please save it again, or choose another one";
    throw new AppError("UNREADABLE_FILE", message, { cause: error });
  }
}

/** A picture as somebody sent it. */
export interface Picture {
  bytes: Buffer;
  account: string;
}

/**
 * The picture whole, and scanned for malware. Throws RATE_LIMITED before anything is read, TOO_LARGE, INFECTED, or
 * UNAVAILABLE where it cannot be scanned.
 */
export async function readPicture(
  { scanner }: Pick<Deps, "scanner">,
  body: ReadableStream<Uint8Array>,
  account: string,
): Promise<Picture> {
  limit.check(account);
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MAX_PHOTO_BYTES) throw tooLarge({ kind: "picture", bytes: MAX_PHOTO_BYTES });
    chunks.push(chunk);
  }
  const picture = Buffer.concat(chunks);
  await scanner.scan({ name: "The picture", content: picture });
  return { bytes: picture, account };
}
