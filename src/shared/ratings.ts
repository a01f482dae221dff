export const MAX_STARS = 5;

/** From this many ratings on, a shop shows the mean of its students' ratings instead of its own figure. */
export const RATINGS_THAT_COUNT = 5;

interface RatedShop {
  /** The rating set by staff, in tenths of a star. */
  staffTenths: number;
  /** The number of ratings by students, and the sum of their stars. */
  ratingCount: number;
  starSum: number;
}

/** The rating to show: stars with at most one decimal. */
export function shopStars({ staffTenths, ratingCount, starSum }: RatedShop): number {
  const tenths = ratingCount < RATINGS_THAT_COUNT ? staffTenths : Math.round((10 * starSum) / ratingCount);
  return tenths / 10;
}

/** For example `1 of 5 stars`. */
export function starsText(stars: number): string {
  return `${stars} of ${MAX_STARS} stars`;
}
