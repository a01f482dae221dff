import type { PagePicture } from "./engine.ts";

/**
 * An A4 page becomes 99 × 140 pixels. Colour that people see survives being averaged so far: a hairline, one coloured
 * word. What is grey to them becomes grey: the noise of a JPEG, the coloured fringes of letters in screenshots and in
 * scans whose channels lie a pixel apart, all of which count as colour at 24 dots and more.
 */
export const COLOUR_DOTS_PER_INCH = 12;
/**
 * How far the channels of a pixel may be apart and still be grey, of 255. Paper that a scanner sees as cream is some 10
 * apart, noise and fringes up to 18 once averaged; the palest fills of office programs are 22 and more.
 */
const GREY_SPREAD = 20;
/** One pixel may be a speck of dust. */
const COLOURED_PIXELS = 2;

/** Whether people would call the page coloured. */
export function hasColour({ width, height, stride, pixels }: PagePicture): boolean {
  let coloured = 0;
  for (let y = 0; y < height; y++) {
    const end = y * stride + width * 4;
    for (let at = y * stride; at < end; at += 4) {
      if (spread(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0) <= GREY_SPREAD) continue;
      coloured += 1;
      if (coloured === COLOURED_PIXELS) return true;
    }
  }
  return false;
}

function spread(blue: number, green: number, red: number): number {
  return Math.max(blue, green, red) - Math.min(blue, green, red);
}
