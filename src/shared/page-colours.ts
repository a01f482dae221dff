import { commonPages, countPages, everyPage, type PageRanges, readPageRanges } from "./page-ranges.ts";
import { pagesText } from "./page-words.ts";

/** A file of which pages are printed, and what is known of their colour. Pages are written as ranges. */
export interface ColouredFile {
  pages: number;
  /** The pages to print; null for all of them. */
  pageRanges: string | null;
  /** Those of the first `colourCheckedPages` that hold colour; null until they are looked at. */
  colourPages: string | null;
  colourCheckedPages: number | null;
}

/** Pages to print of several files. */
export interface ColourCount {
  pages: number;
  /** Of these, how many were looked at, and how many of those hold colour. */
  checked: number;
  coloured: number;
  /** Whether some files are still to be looked at. */
  isPending: boolean;
}

export function countColours(files: readonly ColouredFile[]): ColourCount {
  const count = { pages: 0, checked: 0, coloured: 0, isPending: false };
  for (const { pages, pageRanges, colourPages, colourCheckedPages } of files) {
    const chosen = rangesOr(pageRanges, pages, everyPage(pages));
    count.pages += countPages(chosen);
    count.checked += countPages(commonPages(chosen, everyPage(colourCheckedPages ?? 0)));
    if (colourPages) count.coloured += countPages(commonPages(chosen, rangesOr(colourPages, pages, [])));
    count.isPending ||= colourCheckedPages === null;
  }
  return count;
}

function rangesOr(text: string | null, pageCount: number, otherwise: PageRanges): PageRanges {
  const reading = text === null ? null : readPageRanges(text, pageCount);
  return reading?.ok ? reading.ranges : otherwise;
}

/** Such as "4 of 32 pages are in colour"; null while that is not known of any page. */
export function colourText({ pages, checked, coloured }: ColourCount): string | null {
  if (checked === 0) return null;
  if (checked < pages) {
    const found =
      coloured === 0 ? "No colour was found" : `At least ${pagesText(coloured)} ${areIs(coloured)} in colour`;
    return `${found}; only ${checked} of ${pagesText(pages)} could be looked at`;
  }
  if (pages === 1) return coloured === 1 ? "The page is in colour" : "The page is not in colour";
  if (coloured === 0) return `None of the ${pagesText(pages)} is in colour`;
  if (coloured === pages) return `All ${pagesText(pages)} are in colour`;
  return `${coloured} of ${pagesText(pages)} ${areIs(coloured)} in colour`;
}

function areIs(count: number): string {
  return count === 1 ? "is" : "are";
}
