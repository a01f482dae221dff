import { readPageRanges } from "#shared/page-ranges.ts";
import { NO_PAGES, writePrinted } from "#shared/print-pages.ts";

/** Longest text of a field; written out anew it stays within what the store takes. */
export const MAX_TYPED_RANGES = 1000;

/** Which pages of an uploaded file are printed. */
export interface PageChoice {
  /** Such as `1-10, 15`; null for all of them, NO_PAGES for none. */
  pageRanges: string | null;
  /** What is wrong with the student's text; until it is mended all pages count. */
  problem: string | null;
}

/** Reads what the student typed for a file of so many pages; no text is all of them, the word NO_PAGES none. */
export function choosePages(pages: number, ranges = ""): PageChoice {
  if (ranges.trim().toLowerCase() === NO_PAGES) return { pageRanges: NO_PAGES, problem: null };
  const reading = readPageRanges(ranges, pages);
  if (!reading.ok) return { pageRanges: null, problem: reading.message };
  return { pageRanges: writePrinted(reading.ranges, pages), problem: null };
}
