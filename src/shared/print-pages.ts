import { counted, formatCount } from "./format.ts";

/** Pages from `first` to `last`, both included, counted from 1. */
interface PageRange {
  first: number;
  last: number;
}

/** Pages of one document in order: ascending ranges that neither overlap nor touch. */
export type PageRanges = readonly PageRange[];

type PageRangesReading = { ok: true; ranges: PageRanges } | { ok: false; message: string };

/** Longest part of the input that a message repeats. */
const MAX_QUOTED = 20;
const EXAMPLE = "Write pages such as 1-10, 15, 20-";
/** A page number, or two with a dash, one of which may be missing. */
const PART = /^(?:(\d{1,9})|(\d{1,9})?-(\d{1,9})?)$/;

/**
 * Parses pages as people write them for a printer, such as `1-10, 15, 20-`: separated by commas or spaces, an open end
 * reaches to the last page. The result is in the document's order, each page once; an empty text means all pages.
 * `message` explains what is wrong.
 */
export function readPageRanges(text: string, pageCount: number): PageRangesReading {
  if (text.trim() === "") return { ok: true, ranges: everyPage(pageCount) };
  const ranges: PageRange[] = [];
  for (const part of partsOf(text)) {
    const range = readPart(part, pageCount);
    if (typeof range === "string") return { ok: false, message: range };
    ranges.push(range);
  }
  return ranges.length > 0 ? { ok: true, ranges: merge(ranges) } : { ok: false, message: EXAMPLE };
}

function partsOf(text: string): string[] {
  return text
    .replace(/\s+/g, " ")
    .replace(/ ?[-‐‑‒–—−] ?/g, "-")
    .split(/[\s,;]+/)
    .filter((part) => part !== "");
}

/** How many pages and ranges these texts name. */
export function countRanges(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + partsOf(text).length, 0);
}

export function everyPage(pageCount: number): PageRanges {
  return pageCount > 0 ? [{ first: 1, last: pageCount }] : [];
}

/** Converts pages, in any order and with repeats, to ranges. */
export function rangesOfPages(pages: readonly number[]): PageRanges {
  return merge(pages.map((page) => ({ first: page, last: page })));
}

/** Each page of the ranges. */
export function listPages(ranges: PageRanges): number[] {
  return ranges.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, at) => first + at));
}

/** The pages that `writePageRanges` has written: an empty text stands for none, as null does. */
export function storedPages(text: string | null, pageCount: number): PageRanges {
  const reading = text ? readPageRanges(text, pageCount) : null;
  return reading?.ok ? reading.ranges : [];
}

/** The number of pages in the ranges. */
export function countPages(ranges: PageRanges): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

/** The pages that are in both. */
export function commonPages(some: PageRanges, others: PageRanges): PageRanges {
  const common: PageRange[] = [];
  let [at, otherAt] = [0, 0];
  for (;;) {
    const [one, other] = [some[at], others[otherAt]];
    if (!one || !other) return common;
    const first = Math.max(one.first, other.first);
    const last = Math.min(one.last, other.last);
    if (first <= last) common.push({ first, last });
    if (one.last < other.last) at += 1;
    else otherAt += 1;
  }
}

/** The pages that are in the first and not in the second. */
export function pagesWithout(pages: PageRanges, others: PageRanges): PageRanges {
  const firsts = [1, ...others.map(({ last }) => last + 1)];
  const between = firsts.map((first, at) => ({ first, last: (others[at]?.first ?? Infinity) - 1 }));
  return commonPages(pages, between);
}

/** The pages that are in any of them. */
export function unitePages(all: readonly PageRanges[]): PageRanges {
  return merge(all.flat());
}

export function hasPage(ranges: PageRanges, page: number): boolean {
  return ranges.some(({ first, last }) => first <= page && page <= last);
}

/** The pages without this one, or with it if it was missing. */
export function togglePage(ranges: PageRanges, page: number): PageRanges {
  const toggled = [{ first: page, last: page }];
  return hasPage(ranges, page) ? pagesWithout(ranges, toggled) : unitePages([ranges, toggled]);
}

/** In the form that printer dialogs accept: `1-10, 15, 20-32`. Parsing it gives the same ranges. */
export function writePageRanges(ranges: PageRanges): string {
  return ranges.map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`)).join(", ");
}

/** The range of one part, or a message about what is wrong with it. */
function readPart(part: string, pageCount: number): PageRange | string {
  const [, single, start, end] = PART.exec(part) ?? [];
  if (!single && !start && !end) {
    return part === "-" || part.length > MAX_QUOTED ? EXAMPLE : `“${part}” is not a page. ${EXAMPLE}`;
  }
  const first = Number(single ?? start ?? 1);
  const last = Number(single ?? end ?? Math.max(first, pageCount));
  if (first < 1 || last < 1) return "There is no page 0: pages are counted from 1";
  const beyond = [first, last].find((page) => page > pageCount);
  if (beyond)
    return `There is no page ${beyond}: this file has ${pageCount} page${pageCount === 1 ? "" : "s"}`;
  return first <= last ? { first, last } : `“${part}” runs backwards: write ${last}-${first}`;
}

function merge(ranges: readonly PageRange[]): PageRanges {
  const merged: PageRange[] = [];
  for (const { first, last } of ranges.toSorted((a, b) => a.first - b.first)) {
    const before = merged.at(-1);
    if (before && first <= before.last + 1) before.last = Math.max(before.last, last);
    else merged.push({ first, last });
  }
  return merged;
}

/** A file of an order with its pages. */
export interface FilePages {
  /** The number of pages in the file. */
  pages: number;
  /** The pages to print, such as `1-10, 15`; null for all, NO_PAGES for none. */
  pageRanges: string | null;
}

/** Marks a file of which no page is printed, by the order or by one of its jobs. */
export const NO_PAGES = "none";

/** The pages of a file that are printed. */
export function printedPages({ pages, pageRanges }: FilePages): PageRanges {
  if (pageRanges === null) return everyPage(pages);
  const reading = pageRanges === NO_PAGES ? null : readPageRanges(pageRanges, pages);
  return reading?.ok ? reading.ranges : [];
}

/** The number of printed pages, which sets the price and the contents of the pack. */
export function countPrinted(files: readonly FilePages[]): number {
  return countPrintedOfEach(files).reduce((sum, count) => sum + count, 0);
}

/** The number of printed pages of each file. */
export function countPrintedOfEach(files: readonly FilePages[]): number[] {
  return files.map((file) => countPages(printedPages(file)));
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
    left -= end - first + 1;
    return end >= first ? [{ first, last: end }] : [];
  });
}

/** These ranges in the format of `FilePages.pageRanges`. */
export function writePrinted(ranges: PageRanges, pages: number): string | null {
  const count = countPages(ranges);
  if (count === pages) return null;
  return count === 0 ? NO_PAGES : writePageRanges(ranges);
}

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
