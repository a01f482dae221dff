import {
  commonPages,
  countPages,
  everyPage,
  type FilePages,
  listPages,
  type PageRanges,
  pagesText,
  pagesWithout,
  printedPages,
  rangesOfPages,
  storedPages,
} from "./print-pages.ts";

/** A file with its pages to print, as ranges, and what is known about their colour. */
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
    count.pages += countPages(chosen);
    count.checked += countPages(commonPages(chosen, everyPage(colourCheckedPages ?? 0)));
    count.coloured += countPages(commonPages(chosen, storedPages(colourPages, pages)));
    count.isPending ||= colourCheckedPages === null;
  }
  return count;
}

/**
 * The pages to print of a file, divided into those that are printed in colour and the others; null where not all of them were looked
 * at. `unit` pages share a sheet, which is printed in colour as a whole where one of its pages has colour: so the sheets stay those of
 * the whole document, and can be laid together in order.
 */
export function pagesByColour(
  file: ColouredFile,
  unit: number,
): { coloured: PageRanges; others: PageRanges } | null {
  const { pages, checked } = countColours([file]);
  if (checked < pages) return null;
  const coloured = new Set(listPages(storedPages(file.colourPages, file.pages)));
  const printed = printedPages(file);
  const listed = listPages(printed);
  const sheetOf = (at: number) => listed.slice(at - (at % unit), at - (at % unit) + unit);
  const others = rangesOfPages(listed.filter((_, at) => !sheetOf(at).some((page) => coloured.has(page))));
  return { coloured: pagesWithout(printed, others), others };
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
