import type { PagePicture } from "./page-pictures.ts";

export const PAGE_FINDINGS = ["coloured", "blank", "edge"] as const;
type PageFinding = (typeof PAGE_FINDINGS)[number];

/**
 * What was found in a run of pages, ascending and counted from 1: those with colour, blank ones, and those with text at an
 * edge.
 */
export interface PageFindings extends Record<PageFinding, number[]> {
  /** The last page that was looked at; the one before the first where none was. */
  lastPage: number;
}

export function nothingFound(lastPage: number): PageFindings {
  return { coloured: [], blank: [], edge: [], lastPage };
}

/*
 * Checks of a page drawn in COLOUR_DOTS_PER_INCH, where a pixel is 6 points (2.1 mm) wide. A hairline is drawn a whole pixel
 * wide, so what people see on paper is seen here.
 */

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
function hasColour({ width, height, stride, pixels }: PagePicture): boolean {
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

/**
 * A page is blank where every channel of every pixel is at least this, of 255: a full stop of 11 points darkens a pixel to
 * 247, a speck of a point that a scanner leaves on white paper to 252. Paper that a scan shows as grey or cream is not blank.
 */
const WHITE = 250;

function isBlank({ width, height, stride, pixels }: PagePicture): boolean {
  for (let y = 0; y < height; y++) {
    const end = y * stride + width * 4;
    for (let at = y * stride; at < end; at += 4) {
      if (Math.min(pixels[at] ?? 0, pixels[at + 1] ?? 0, pixels[at + 2] ?? 0) < WHITE) return false;
    }
  }
  return true;
}

/** Office printers leave 4.2 mm white on each side. */
const EDGE_PIXELS = 2;
/** Brightness of paper, and how much darker than it letters of 8 points are, of 255. */
const LIGHT = 200;
const DARKER = 32;
/** One pixel may be a speck. Along more than a third of an edge it is a frame, a picture or the shadow of a scan, and not text. */
const MARKED_PIXELS = 2;
const MARKED_SHARE = 1 / 3;

/** Whether something like text lies on light paper so near to an edge that printers cut it. */
function hasTextAtEdge(picture: PagePicture): boolean {
  const { width, height } = picture;
  if (Math.min(width, height) <= 2 * EDGE_PIXELS) return false;
  const inner = {
    left: EDGE_PIXELS,
    top: EDGE_PIXELS,
    right: width - EDGE_PIXELS,
    bottom: height - EDGE_PIXELS,
  };
  // Without corners: what lies along one edge is no text at the next.
  return [
    strip(picture, { ...inner, top: 0, bottom: EDGE_PIXELS }),
    strip(picture, { ...inner, top: inner.bottom, bottom: height }),
    strip(picture, { ...inner, left: 0, right: EDGE_PIXELS }),
    strip(picture, { ...inner, left: inner.right, right: width }),
  ].some(isMarked);
}

/** Brightness of the pixels in this part, ascending. */
function strip(
  { stride, pixels }: PagePicture,
  { left, top, right, bottom }: { left: number; top: number; right: number; bottom: number },
): Uint8Array {
  const found: number[] = [];
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) {
      const at = y * stride + x * 4;
      found.push(((pixels[at] ?? 0) + 6 * (pixels[at + 1] ?? 0) + 3 * (pixels[at + 2] ?? 0)) / 10);
    }
  }
  return new Uint8Array(found).sort();
}

function isMarked(brightness: Uint8Array): boolean {
  const paper = brightness[brightness.length >> 1] ?? 0;
  if (paper < LIGHT) return false;
  const marked = brightness.findIndex((value) => value > paper - DARKER);
  return marked >= MARKED_PIXELS && marked <= brightness.length * MARKED_SHARE;
}

/** Whether a page drawn in COLOUR_DOTS_PER_INCH is of that kind. */
export const PAGE_CHECKS: Record<PageFinding, (picture: PagePicture) => boolean> = {
  coloured: hasColour,
  blank: isBlank,
  edge: hasTextAtEdge,
};
