import { fileTypeFromBuffer } from "file-type";
import pLimit from "p-limit";
import sharp from "sharp";
import { PHOTO_WIDTH, SMALL_PHOTO_WIDTH } from "#shared/shop-photos.ts";
import { AppError } from "../errors.ts";

/** A photo as the store keeps it: two sizes as WebP, without anything that the camera noted in it. */
export interface EncodedPhoto {
  large: Buffer;
  small: Buffer;
}

const TYPES = ["image/png", "image/jpeg", "image/webp"];
/** More than any phone's camera makes; a picture that says it has more is made to fill the memory. */
const MAX_PIXELS = 120_000_000;
const QUALITY = 80;

/** A large picture takes a hundred megabytes while it is decoded. */
const oneAtATime = pLimit(1);

/**
 * Turns a picture upright, crops it to 4:3 around what draws the eye, and encodes it anew. Throws UNSUPPORTED_TYPE,
 * UNREADABLE_FILE, or INVALID_INPUT for one that is too small.
 */
export async function encodePhoto(picture: Buffer): Promise<EncodedPhoto> {
  const type = await fileTypeFromBuffer(picture);
  if (!type || !TYPES.includes(type.mime)) {
    throw new AppError("UNSUPPORTED_TYPE", "This is not a picture. Please choose a PNG, JPEG or WebP file");
  }
  try {
    return await oneAtATime(() => encode(picture));
  } catch (error) {
    if (error instanceof AppError) throw error;
    const message = "The picture cannot be read. Please save it again, or choose another one";
    throw new AppError("UNREADABLE_FILE", message, { cause: error });
  }
}

async function encode(picture: Buffer): Promise<EncodedPhoto> {
  const image = sharp(picture, { limitInputPixels: MAX_PIXELS, failOn: "error" });
  const { width, height } = (await image.metadata()).autoOrient;
  const [minWidth, minHeight] = [SMALL_PHOTO_WIDTH, heightOf(SMALL_PHOTO_WIDTH)];
  if (width < minWidth || height < minHeight) {
    const message = `The picture has ${width} × ${height} pixels. Please choose one with at least ${minWidth} × ${minHeight}`;
    throw new AppError("INVALID_INPUT", message);
  }
  const large = await image
    .autoOrient()
    .resize(PHOTO_WIDTH, heightOf(PHOTO_WIDTH), { fit: "cover", position: sharp.strategy.attention })
    .flatten({ background: "white" })
    .webp({ quality: QUALITY })
    .toBuffer();
  const small = await sharp(large).resize(SMALL_PHOTO_WIDTH).webp({ quality: QUALITY }).toBuffer();
  return { large, small };
}

function heightOf(width: number): number {
  return (width * 3) / 4;
}
