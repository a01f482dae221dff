const HEIC_NAME = /\.hei[cf]$/i;
const HEIC_TYPE = /^image\/hei[cf]$/i;

/** The photo's pixels, turned upright as its camera noted. Throws a message that says what to do. */
export async function decodePhoto(photo: File): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(photo, { imageOrientation: "from-image" });
  } catch {
    const bitmap = isHeic(photo) ? await decodeHeic(photo).catch(() => null) : null;
    if (bitmap) return bitmap;
    throw new Error(`“${photo.name}” cannot be read as a photo. Save it as JPG or PNG and add it again`);
  }
}

function isHeic({ name, type }: File): boolean {
  return HEIC_NAME.test(name) || HEIC_TYPE.test(type);
}

/** Only for browsers that cannot show HEIC themselves; the decoder is large and comes when needed. */
async function decodeHeic(photo: File): Promise<ImageBitmap> {
  const { heicTo } = await import("heic-to/csp");
  return heicTo({ blob: photo, type: "bitmap" });
}
