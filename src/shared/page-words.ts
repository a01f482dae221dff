import { counted, formatCount } from "./counted.ts";
import { countPages, readPageRanges } from "./page-ranges.ts";

/** Such as "1 page" and "1,200 pages". */
export function pagesText(pages: number): string {
  return counted(pages, "page");
}

/**
 * What is printed of a file of so many pages: "32 pages", and "only pages 1-10, 15: 11 of 32 pages" where `pageRanges`
 * says which.
 */
export function chosenPagesText({ pages, pageRanges }: { pages: number; pageRanges: string | null }): string {
  const reading = pageRanges === null ? null : readPageRanges(pageRanges, pages);
  if (!reading?.ok) return pagesText(pages);
  const chosen = countPages(reading.ranges);
  return `only ${chosen === 1 ? "page" : "pages"} ${pageRanges}: ${formatCount(chosen)} of ${pagesText(pages)}`;
}
