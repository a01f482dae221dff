import { countPages, everyPage, type PageRanges, readPageRanges, writePageRanges } from "./page-ranges.ts";

/** A file of an order with its pages. */
export interface FilePages {
  /** The number of pages in the file. */
  pages: number;
  /** The pages to print, such as `1-10, 15`; null for all, NO_PAGES for none. */
  pageRanges: string | null;
}

/** Marks a file of which no page is printed, because the order prints fewer pages than the files before it have. */
export const NO_PAGES = "none";

/** The pages of a file that are printed. */
export function printedPages({ pages, pageRanges }: FilePages): PageRanges {
  if (pageRanges === null) return everyPage(pages);
  const reading = pageRanges === NO_PAGES ? null : readPageRanges(pageRanges, pages);
  return reading?.ok ? reading.ranges : [];
}

/** The number of printed pages, which sets the price and the contents of the pack. */
export function countPrinted(files: readonly FilePages[]): number {
  return files.reduce((sum, file) => sum + countPages(printedPages(file)), 0);
}

/**
 * Limits the files of an order to the first `count` of their chosen pages. Price, sheets, ticket, pack, mails and
 * receipt are all made from this list.
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

/** These ranges in the format of `FilePages.pageRanges`. */
export function writePrinted(ranges: PageRanges, pages: number): string | null {
  const count = countPages(ranges);
  if (count === pages) return null;
  return count === 0 ? NO_PAGES : writePageRanges(ranges);
}
