import { NO_PAGES, readPageRanges, writePrinted } from "#shared/print-pages.ts";

/** Longest text of the field; rewritten as ranges it stays within the server's limit. */
export const MAX_TYPED_RANGES = 1000;

/** Which pages of an uploaded file are printed. */
export interface PageChoice {
  /** Such as `1-10, 15`; null for all pages, NO_PAGES for none. */
  pageRanges: string | null;
  /** The error in the typed text; until it is corrected, all pages count. */
  problem: string | null;
}

/** Parses the typed ranges of a file with so many pages; empty means all pages, NO_PAGES none. */
export function choosePages(pages: number, ranges = ""): PageChoice {
  if (ranges.trim().toLowerCase() === NO_PAGES) return { pageRanges: NO_PAGES, problem: null };
  const reading = readPageRanges(ranges, pages);
  if (!reading.ok) return { pageRanges: null, problem: reading.message };
  return { pageRanges: writePrinted(reading.ranges, pages), problem: null };
}
