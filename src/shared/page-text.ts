import { counted, formatCount } from "./counted.ts";
import { countPages, writePageRanges } from "./page-ranges.ts";
import { countPrinted, type FilePages, printedPages } from "./print-pages.ts";

/** For example "1 page" and "1,200 pages". */
export function pagesText(pages: number): string {
  return counted(pages, "page");
}

/** The printed pages of a file in words: "32 pages", "only pages 1-10, 15: 11 of 32 pages", or "not printed". */
export function chosenPagesText(file: FilePages): string {
  const printed = printedPages(file);
  const count = countPages(printed);
  if (count === file.pages) return pagesText(file.pages);
  if (count === 0) return "not printed";
  return `only ${count === 1 ? "page" : "pages"} ${writePageRanges(printed)}: ${formatCount(count)} of ${pagesText(file.pages)}`;
}

/** Which pages are printed, if not all: "Pages 1-3 of 20 will be printed", or the count for several files. */
export function willPrintText(files: readonly (FilePages & { name: string })[]): string {
  const [file] = files;
  if (!file || files.length > 1) {
    const total = files.reduce((sum, { pages }) => sum + pages, 0);
    return `${formatCount(countPrinted(files))} of ${pagesText(total)} will be printed. Your files above show which`;
  }
  const printed = printedPages(file);
  const noun = countPages(printed) === 1 ? "Page" : "Pages";
  return `${noun} ${writePageRanges(printed)} of ${formatCount(file.pages)} will be printed`;
}
