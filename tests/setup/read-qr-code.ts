import jsQR from "jsqr";
import sharp from "sharp";

/** The text of the QR code in a picture, if there is one. */
export async function readQrCode(picture: Uint8Array): Promise<string | undefined> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  return jsQR.default(new Uint8ClampedArray(data), info.width, info.height)?.data;
}
