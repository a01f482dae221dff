import { countPages, readPageRanges, writePageRanges } from "#shared/page-ranges.ts";

/** Longest text of a field; written out anew it stays within what the store takes. */
export const MAX_TYPED_RANGES = 1000;

/** Which pages of an uploaded file are printed. */
export interface PageChoice {
  /** Such as `1-10, 15`; null for all of them. */
  pageRanges: string | null;
  /** How many pages that are. */
  chosenPages: number;
  /** What is wrong with the student's text; until it is mended all pages count. */
  problem: string | null;
}

/** Reads what the student typed for a file of so many pages; no text is all of them. */
export function choosePages(pages: number, ranges = ""): PageChoice {
  const reading = readPageRanges(ranges, pages);
  if (!reading.ok) return { pageRanges: null, chosenPages: pages, problem: reading.message };
  const chosenPages = countPages(reading.ranges);
  return {
    pageRanges: chosenPages < pages ? writePageRanges(reading.ranges) : null,
    chosenPages,
    problem: null,
  };
}
