/** In what sizes the store keeps a photo that staff uploaded for a shop: widths in pixels, each 4:3. */
export const PHOTO_WIDTH = 960;
export const SMALL_PHOTO_WIDTH = 480;

const PHOTO_PATH = /^\/shop-photos\/([0-9a-f]{32})\.webp$/;

/** The path of a photo; it is named by what is in it. */
export function photoPath(hash: string): string {
  return `/shop-photos/${hash}.webp`;
}

/** The hash in a photo's path; undefined for the path of another picture. */
export function photoHash(image: string): string | undefined {
  return PHOTO_PATH.exec(image)?.[1];
}

const SAMPLE_PATH = /^\/shop-images\/[a-z0-9][a-z0-9-]*\.svg$/;

/** Whether a picture lies in the store itself: an uploaded photo, or a drawing that the store ships. */
export function isOwnPicture(image: string): boolean {
  return PHOTO_PATH.test(image) || SAMPLE_PATH.test(image);
}

/** The `srcset` of a shop's picture; undefined for one that there is in one size only. */
export function photoSources(image: string): string | undefined {
  const hash = photoHash(image);
  const small = `/shop-photos/${hash}-${SMALL_PHOTO_WIDTH}.webp`;
  return hash && `${small} ${SMALL_PHOTO_WIDTH}w, ${image} ${PHOTO_WIDTH}w`;
}
