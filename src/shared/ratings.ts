export const MAX_STARS = 5;

/** From so many ratings by students on, a shop's figure is theirs and no longer that of its staff. */
export const RATINGS_THAT_COUNT = 5;

export interface RatedShop {
  /** The staff's figure, in tenths of a star. */
  staffTenths: number;
  /** How many students' ratings there are, and the sum of their stars. */
  ratingCount: number;
  starSum: number;
}

/** What a shop is shown with: stars with at most one decimal. */
export function shopStars({ staffTenths, ratingCount, starSum }: RatedShop): number {
  const tenths = ratingCount < RATINGS_THAT_COUNT ? staffTenths : Math.round((10 * starSum) / ratingCount);
  return tenths / 10;
}

/** Such as `1 of 5 stars`. */
export function starsText(stars: number): string {
  return `${stars} of ${MAX_STARS} stars`;
}
