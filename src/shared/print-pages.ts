import { countPages, everyPage, type PageRanges, readPageRanges, writePageRanges } from "./page-ranges.ts";

/** A file of an order, as far as its pages go. */
export interface FilePages {
  /** How many it has. */
  pages: number;
  /** Those that are printed, such as `1-10, 15`; null for all of them, NO_PAGES for none. */
  pageRanges: string | null;
}

/** Stands for the pages of a file that is in an order of which fewer pages are printed than come before it. */
export const NO_PAGES = "none";

/** The pages of a file that are printed. */
export function printedPages({ pages, pageRanges }: FilePages): PageRanges {
  if (pageRanges === null) return everyPage(pages);
  const reading = pageRanges === NO_PAGES ? null : readPageRanges(pageRanges, pages);
  return reading?.ok ? reading.ranges : [];
}

/** How many pages of the files are printed: what an order is priced by and what its pack holds. */
export function countPrinted(files: readonly FilePages[]): number {
  return files.reduce((sum, file) => sum + countPages(printedPages(file)), 0);
}

/**
 * The files of an order of so many pages: of the pages that are chosen of them, in their order, the first `count` are
 * printed. Price, sheets, ticket, pack, mails and receipt of an order are all made from this list.
 */
export function firstPages<File extends FilePages>(files: readonly File[], count: number): File[] {
  let left = count;
  return files.map((file) => {
    const printed = takePages(printedPages(file), left);
    left -= countPages(printed);
    return { ...file, pageRanges: writePrinted(printed, file.pages) };
  });
}

function takePages(ranges: PageRanges, count: number): PageRanges {
  let left = count;
  return ranges.flatMap(({ first, last }) => {
    const end = Math.min(last, first + left - 1);
    left -= Math.max(0, end - first + 1);
    return end >= first ? [{ first, last: end }] : [];
  });
}

/** These pages of a file of so many, as `FilePages` has them. */
export function writePrinted(ranges: PageRanges, pages: number): string | null {
  const count = countPages(ranges);
  if (count === pages) return null;
  return count === 0 ? NO_PAGES : writePageRanges(ranges);
}
