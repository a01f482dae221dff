import {
  commonPages,
  countPages,
  everyPage,
  type FilePages,
  pagesText,
  printedPages,
  readPageRanges,
} from "./print-pages.ts";

/** A file with the pages to print and what is known about their colour. Pages are written as ranges. */
export interface ColouredFile extends FilePages {
  /** The pages with colour among the first `colourCheckedPages`; null until they are checked. */
  colourPages: string | null;
  colourCheckedPages: number | null;
}

/** The colour of the printed pages of several files. */
export interface ColourCount {
  pages: number;
  /** How many pages were checked, and how many of those have colour. */
  checked: number;
  coloured: number;
  /** Whether some files are still to be checked. */
  isPending: boolean;
}

export function countColours(files: readonly ColouredFile[]): ColourCount {
  const count = { pages: 0, checked: 0, coloured: 0, isPending: false };
  for (const file of files) {
    const { pages, colourPages, colourCheckedPages } = file;
    const chosen = printedPages(file);
    const coloured = readPageRanges(colourPages || "-", pages);
    count.pages += countPages(chosen);
    count.checked += countPages(commonPages(chosen, everyPage(colourCheckedPages ?? 0)));
    if (coloured.ok) count.coloured += countPages(commonPages(chosen, coloured.ranges));
    count.isPending ||= colourCheckedPages === null;
  }
  return count;
}

/** For example "4 of 32 pages are in colour"; null while no page was checked. */
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
