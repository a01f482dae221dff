import type { Sharp } from "sharp";
import { PHOTO_WIDTH, SMALL_PHOTO_WIDTH } from "#shared/shop-photos.ts";
import { AppError } from "../errors.ts";
import { loadSharp } from "../heavy-libraries.ts";
import { encodeAnew, type Picture } from "../pictures.ts";

/** A photo as the store keeps it: two sizes as WebP, without anything that the camera noted in it. */
export interface EncodedPhoto {
  large: Buffer;
  small: Buffer;
}

const QUALITY = 80;

/**
 * Turns a picture upright, crops it to 4:3 around what draws the eye, and encodes it anew. Throws UNSUPPORTED_TYPE,
 * UNREADABLE_FILE, or INVALID_INPUT for one that is too small.
 */
export function encodePhoto(picture: Picture): Promise<EncodedPhoto> {
  return encodeAnew(picture, ["image/png", "image/jpeg", "image/webp"], encode);
}

async function encode(image: Sharp): Promise<EncodedPhoto> {
  const { width, height } = (await image.metadata()).autoOrient;
  const [minWidth, minHeight] = [SMALL_PHOTO_WIDTH, heightOf(SMALL_PHOTO_WIDTH)];
  if (width < minWidth || height < minHeight) {
    const message = `The picture has ${width} × ${height} pixels. Please choose one with at least ${minWidth} × ${minHeight}`;
    throw new AppError("INVALID_INPUT", message);
  }
  const { strategy } = await loadSharp();
  const large = await image
    .autoOrient()
    .resize(PHOTO_WIDTH, heightOf(PHOTO_WIDTH), { fit: "cover", position: strategy.attention })
    .flatten({ background: "white" })
    .webp({ quality: QUALITY })
    .toBuffer();
  return withSmall(large);
}

/** A photo of the large size, with the small one made of it. */
export async function withSmall(large: Buffer): Promise<EncodedPhoto> {
  const sharp = await loadSharp();
  const small = await sharp(large).resize(SMALL_PHOTO_WIDTH).webp({ quality: QUALITY }).toBuffer();
  return { large, small };
}

function heightOf(width: number): number {
  return (width * 3) / 4;
}
