import { otherSizes, type PaperName, type SizedPages } from "./paper-sizes.ts";
import {
  commonPages,
  countPages,
  type FilePages,
  type PageRanges,
  pagesWithout,
  printedPages,
  storedPages,
  unitePages,
  writePageRanges,
  writePrinted,
} from "./print-pages.ts";

/** What was found on the pages of a file, as ranges; null until they are checked. Their sizes are known from the upload on. */
export interface PageChecks extends Pick<SizedPages, "pageSizes"> {
  blankPages: string | null;
  /** Pages with text so near to the edge that printers cut it. */
  edgePages: string | null;
}

/**
 * What people should know of the pages to print of one file; empty where there is nothing.
 * @param paper null where it is not known: then nothing is said of sizes
 */
export function pageNotes(file: FilePages & PageChecks, paper: PaperName | null): string[] {
  const printed = printedPages(file);
  return [
    describe(printed, storedPages(file.blankPages, file.pages), {
      some: (pages, count) => (count === 1 ? `Page ${pages} is blank` : `${count} blank pages: ${pages}`),
      all: (count) => (count === 1 ? "The page is blank" : "Every page is blank"),
    }),
    describe(printed, unitePages((paper ? otherSizes(file, paper) : []).map(({ pages }) => pages)), {
      some: (pages, count) =>
        `${count === 1 ? "Page" : "Pages"} ${pages}: not ${paper}, so the size on paper may differ`,
      all: () => `Not ${paper}, so the size on paper may differ`,
    }),
    describe(printed, storedPages(file.edgePages, file.pages), {
      some: (pages, count) => `${count === 1 ? "Page" : "Pages"} ${pages}: ${AT_EDGE}`,
      all: (count) => (count === 1 ? `On the page ${AT_EDGE}` : `On every page ${AT_EDGE}`),
    }),
  ].filter((note) => note !== null);
}

const AT_EDGE = "text is so near to the edge that printers may cut it";

/** The pages to print without the blank ones, as typed; null where none or all of them are blank. */
export function rangesWithoutBlank(file: FilePages & PageChecks): string | null {
  const printed = printedPages(file);
  const left = pagesWithout(printed, storedPages(file.blankPages, file.pages));
  if (left.length === 0 || countPages(left) === countPages(printed)) return null;
  return writePrinted(left, file.pages);
}

/** More ranges than these are not listed. */
const MAX_LISTED = 8;

function describe(
  printed: PageRanges,
  pages: PageRanges,
  say: { some: (pages: string, count: number) => string; all: (count: number) => string },
): string | null {
  const concerned = commonPages(printed, pages);
  const count = countPages(concerned);
  if (count === 0) return null;
  if (count === countPages(printed)) return say.all(count);
  const more = concerned.length > MAX_LISTED ? " and more" : "";
  return say.some(writePageRanges(concerned.slice(0, MAX_LISTED)) + more, count);
}
