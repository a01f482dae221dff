import { readPageRanges } from "#shared/page-ranges.ts";
import type { Piece } from "../files/pdf.pieces.ts";

const MB = 1024 * 1024;
/** About how large a piece becomes; its pages are in the worker's memory twice. */
const PIECE_BYTES = 8 * MB;
/** How much larger than its share of the file a piece may be. */
const SWOLLEN = { times: 2, bytes: MB };

interface Pages {
  pages: number;
  bytes: number;
}

/** The pages to print of a file, counted from 0. */
export function pagesToPrint({ pages, pageRanges }: { pages: number; pageRanges: string | null }): number[] {
  const reading = readPageRanges(pageRanges ?? "", pages);
  const ranges = reading.ok ? reading.ranges : [{ first: 1, last: pages }];
  return ranges.flatMap(({ first, last }) =>
    Array.from({ length: last - first + 1 }, (_, at) => first - 1 + at),
  );
}

/** How many pages of a file make a piece. */
export function pagesPerPiece({ pages, bytes }: Pages): number {
  return Math.max(1, Math.floor((PIECE_BYTES * pages) / bytes));
}

/** Whether a piece of so many pages holds much that other pages of the file need too, and would bring again. */
export function isSwollen({ start, end }: Piece, { pages, bytes }: Pages, taken: number): boolean {
  return end - start > ((SWOLLEN.times * bytes) / pages) * taken + SWOLLEN.bytes;
}
