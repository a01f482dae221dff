const MB = 1024 * 1024;

/** Size limit for photos of shops and of printing errors. */
export const MAX_PHOTO_BYTES = 15 * MB;
export const PHOTO_TOO_LARGE = `is larger than ${MAX_PHOTO_BYTES / MB} MB. Please choose a smaller one`;

/** The sizes of a stored shop photo: widths in pixels, each 4:3. */
export const PHOTO_WIDTH = 960;
export const SMALL_PHOTO_WIDTH = 480;

const PHOTO_PATH = /^\/shop-photos\/([0-9a-f]{32})\.webp$/;

/** The path of a photo, which is named by its hash. */
export function photoPath(hash: string): string {
  return `/shop-photos/${hash}.webp`;
}

/** The hash in a photo's path; undefined for any other picture. */
export function photoHash(image: string): string | undefined {
  return PHOTO_PATH.exec(image)?.[1];
}

const SAMPLE_PATH = /^\/shop-images\/[a-z0-9][a-z0-9-]*\.svg$/;

/** Whether the store serves the picture itself: an uploaded photo, or a drawing that comes with it. */
export function isOwnPicture(image: string): boolean {
  return PHOTO_PATH.test(image) || SAMPLE_PATH.test(image);
}

/** The `srcset` of a shop's picture; undefined if there is only one size. */
export function photoSources(image: string): string | undefined {
  const hash = photoHash(image);
  const small = `/shop-photos/${hash}-${SMALL_PHOTO_WIDTH}.webp`;
  return hash && `${small} ${SMALL_PHOTO_WIDTH}w, ${image} ${PHOTO_WIDTH}w`;
}
