/** In what sizes the store keeps a photo that staff uploaded for a shop: widths in pixels, each 4:3. */
export const PHOTO_WIDTH = 960;
export const SMALL_PHOTO_WIDTH = 480;

const PHOTO_PATH = /^(\/shop-photos\/[0-9a-f]{32})\.webp$/;

/** The path of a photo; it is named by what is in it. */
export function photoPath(hash: string): string {
  return `/shop-photos/${hash}.webp`;
}

/** The `srcset` of a shop's picture; undefined for one that there is in one size only. */
export function photoSources(image: string): string | undefined {
  const photo = PHOTO_PATH.exec(image)?.[1];
  return photo && `${photo}-${SMALL_PHOTO_WIDTH}.webp ${SMALL_PHOTO_WIDTH}w, ${image} ${PHOTO_WIDTH}w`;
}
