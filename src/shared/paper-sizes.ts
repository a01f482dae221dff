import { type ChosenNames, filesOfJob, type OrderJob } from "./order-jobs.ts";
import {
  commonPages,
  countPages,
  countPrinted,
  type FilePages,
  type PageRanges,
  printedPages,
  rangesOfPages,
  storedPages,
  writePageRanges,
} from "./print-pages.ts";
import { liesOnSide, type SheetLayout, type Size } from "./sheet-layout.ts";

/** Sheets by the names that shops and students use, upright, in millimetres. */
const PAPERS = {
  A2: [420, 594],
  A3: [297, 420],
  A4: [210, 297],
  A5: [148, 210],
  A6: [105, 148],
  B4: [250, 353],
  B5: [176, 250],
  Letter: [215.9, 279.4],
  Legal: [215.9, 355.6],
  Tabloid: [279.4, 431.8],
} as const satisfies Record<string, readonly [number, number]>;
export type PaperName = keyof typeof PAPERS;
const NAMES = Object.keys(PAPERS) as PaperName[];

const POINTS_PER_MM = 72 / 25.4;
/** Nobody sees so small a difference on paper, and programs round. */
const TOLERANCE_MM = 3;

/** The paper of an option of a shop, such as "A4", "a4 landscape" or "A3 (297 × 420 mm)"; null for a name that says no size. */
export function paperNamed(option: string): PaperName | null {
  const word = option
    .toLowerCase()
    .replace(/\(.*?\)/g, " ")
    .replace(/\b(size|paper|sheets?|landscape|portrait|us)\b/g, "")
    .trim();
  return NAMES.find((name) => name.toLowerCase() === word) ?? null;
}

/** The paper that the options of a job choose; null where their name says no size. */
export function paperOf(lines: ChosenNames): PaperName | null {
  return paperNamed(lines.find(({ kind }) => kind === "paperSizes")?.name ?? "");
}

/** An upright sheet in points. */
export function sheetOf(paper: PaperName): Size {
  const [width, height] = PAPERS[paper];
  return { width: width * POINTS_PER_MM, height: height * POINTS_PER_MM };
}

/** Whether a page is as large as the sheet, upright or on its side. */
export function isOfSize(page: Size, sheet: Size): boolean {
  const [short, long] = edges(page);
  const [shortSheet, longSheet] = edges(sheet);
  const most = TOLERANCE_MM * POINTS_PER_MM;
  return Math.abs(short - shortSheet) <= most && Math.abs(long - longSheet) <= most;
}

function edges({ width, height }: Size): [short: number, long: number] {
  return [Math.min(width, height), Math.max(width, height)];
}

/** Stands for all sizes without a name. */
const OTHER_SIZE = "another size";

/** What a page of this size is called. */
export function sizeName(page: Size): PaperName | typeof OTHER_SIZE {
  return NAMES.find((name) => isOfSize(page, sheetOf(name))) ?? OTHER_SIZE;
}

/** A file and how large its pages are. */
export interface SizedPages extends FilePages {
  /**
   * JSON of all pages as ranges by the name of their size; landscape pages are listed once more, as `wide`:
   * `{"A4":"1-10","A3":"11","wide":"11"}`.
   */
  pageSizes: string;
}

/** Stands for landscape pages, among the names of sizes. */
const WIDE = "wide";

/** The pages of a file for `SizedPages.pageSizes`, from the size of each in points. */
export function writePageSizes(sizes: readonly Size[]): string {
  const pages = sizes.map((size, index) => ({ number: index + 1, size }));
  const byName = new Map<string, typeof pages>(Map.groupBy(pages, ({ size }) => sizeName(size)));
  const wide = pages.filter(({ size }) => size.width > size.height);
  if (wide.length > 0) byName.set(WIDE, wide);
  const ranges = Array.from(byName, ([name, pages]) => [
    name,
    writePageRanges(rangesOfPages(pages.map(({ number }) => number))),
  ]);
  return JSON.stringify(Object.fromEntries(ranges));
}

/** The pages of a file that are wider than high. */
function widePages({ pages, pageSizes }: SizedPages): PageRanges {
  return storedPages(JSON.parse(pageSizes)[WIDE] ?? null, pages);
}

/**
 * How two-sided prints are turned over where their sides lie: such a side is printed across the sheet, so its back is upside
 * down unless the sheet turns over on its short edge. Null where all sides stand, as printers expect it, and for booklets, whose
 * layout says it.
 */
export function flipText(files: readonly SizedPages[], layout: SheetLayout): string | null {
  if (layout.isBooklet) return null;
  const lying = files.reduce((sum, file) => sum + countLying(file, layout), 0);
  if (lying === 0) return null;
  return lying < countPrinted(files)
    ? "Short edge for pages that lie, long edge for others"
    : "Flip on short edge";
}

/** How many of the printed pages of a file are on landscape sides. Several pages on a side are turned as suits most of them. */
function countLying(file: SizedPages, { pagesPerSide }: SheetLayout): number {
  if (pagesPerSide === 1) return countWide(file);
  return liesOnSide(pagesPerSide, areMostlyWide(file)) ? countPages(printedPages(file)) : 0;
}

function countWide(file: SizedPages): number {
  return countPages(commonPages(printedPages(file), widePages(file)));
}

/** Whether most of the printed pages of a file are wider than high. */
export function areMostlyWide(file: SizedPages): boolean {
  return 2 * countWide(file) > countPages(printedPages(file));
}

/** The pages of a file by the name of their size. */
type PagesBySize = { name: string; pages: PageRanges }[];

function pagesBySize({ pages, pageSizes }: SizedPages): PagesBySize {
  const sizes: Record<string, string> = JSON.parse(pageSizes);
  return Object.entries(sizes)
    .filter(([name]) => name !== WIDE)
    .map(([name, ranges]) => ({ name, pages: storedPages(ranges, pages) }));
}

/** The pages to print that have another size than this paper, by the name of their size. */
export function otherSizes(file: SizedPages, paper: PaperName): PagesBySize {
  return ofOtherSize(printedPages(file), pagesBySize(file), paper);
}

function ofOtherSize(printed: PageRanges, sizes: PagesBySize, paper: PaperName): PagesBySize {
  return sizes.flatMap(({ name, pages }) => {
    const found = name === paper ? [] : commonPages(printed, pages);
    return found.length > 0 ? [{ name, pages: found }] : [];
  });
}

/** That pages of a job are not as large as its paper. */
export interface SizeNote {
  /** Such as "3 of 12 pages are not A4: A3, Letter". */
  text: string;
  paper: PaperName;
  /** How many pages. */
  count: number;
}

/**
 * What to say of the sizes of a job's pages before they are printed; `files` have the pages that it prints. Null where there is
 * nothing to ask: all have the size of the paper, nobody knows it, or several pages are placed on each side anyway.
 */
export function sizeNote(
  files: readonly SizedPages[],
  { pagesPerSide }: Pick<SheetLayout, "pagesPerSide">,
  paper: PaperName | null,
  sizesOf = pagesBySize,
): SizeNote | null {
  if (!paper || pagesPerSide > 1) return null;
  const found = files.flatMap((file) => {
    const printed = printedPages(file);
    return printed.length > 0 ? ofOtherSize(printed, sizesOf(file), paper) : [];
  });
  const count = found.reduce((sum, { pages }) => sum + countPages(pages), 0);
  if (count === 0) return null;
  const total = files.reduce((sum, file) => sum + countPages(printedPages(file)), 0);
  const names = [...new Set(found.map(({ name }) => name))];
  const are = count === 1 ? "is" : "are";
  return {
    paper,
    count,
    text: `${count} of ${total} ${total === 1 ? "page" : "pages"} ${are} not ${paper}: ${names.join(", ")}`,
  };
}

/** What the student is asked about it, as the reason of a hold. */
export function sizeQuestion({ text, paper, count }: SizeNote): string {
  return `${text}. Shall we fit ${count === 1 ? "it" : "them"} to ${paper}? Or send another file, or choose another paper size`;
}

/** How pages of another size than the paper are printed. */
export const SIZES = ["fit", "own"] as const;
export type Sizes = (typeof SIZES)[number];

/** What to ask before each job of an order is printed, because pages have another size than its paper; null where nothing. */
export type SizeNotes = (SizeNote | null)[];

/** @param lines the options of each job */
export function sizeNotesOf(
  files: readonly SizedPages[],
  jobs: readonly OrderJob[],
  lines: readonly ChosenNames[],
): SizeNotes {
  // Thousands of pages may have other sizes in turn, and each of twenty jobs may print one of them.
  const read = new Map<string, PagesBySize>();
  const sizesOf = (file: SizedPages) => {
    const known = read.get(file.pageSizes) ?? pagesBySize(file);
    read.set(file.pageSizes, known);
    return known;
  };
  return jobs.map((job, at) => sizeNote(filesOfJob(files, job), job, paperOf(lines[at] ?? []), sizesOf));
}
