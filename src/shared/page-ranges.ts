/** Pages from `first` to `last`, both included, counted from 1. */
export interface PageRange {
  first: number;
  last: number;
}

/** Pages of one document in order: ascending ranges that neither overlap nor touch. */
export type PageRanges = readonly PageRange[];

export type PageRangesReading = { ok: true; ranges: PageRanges } | { ok: false; message: string };

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
  const parts = text
    .replace(/\s*[-‐‑‒–—−]\s*/g, "-")
    .split(/[\s,;]+/)
    .filter((part) => part !== "");
  const ranges: PageRange[] = [];
  for (const part of parts) {
    const range = readPart(part, pageCount);
    if (typeof range === "string") return { ok: false, message: range };
    ranges.push(range);
  }
  return ranges.length > 0 ? { ok: true, ranges: merge(ranges) } : { ok: false, message: EXAMPLE };
}

export function everyPage(pageCount: number): PageRanges {
  return pageCount > 0 ? [{ first: 1, last: pageCount }] : [];
}

/** Converts pages, in any order and with repeats, to ranges. */
export function rangesOfPages(pages: readonly number[]): PageRanges {
  return merge(pages.map((page) => ({ first: page, last: page })));
}

/** The number of pages in the ranges. */
export function countPages(ranges: PageRanges): number {
  return ranges.reduce((sum, { first, last }) => sum + last - first + 1, 0);
}

/** The pages that are in both. */
export function commonPages(some: PageRanges, others: PageRanges): PageRanges {
  return some.flatMap((one) =>
    others.flatMap((other) => {
      const first = Math.max(one.first, other.first);
      const last = Math.min(one.last, other.last);
      return first <= last ? [{ first, last }] : [];
    }),
  );
}

/** The pages that are in any of them. */
export function unitePages(all: readonly PageRanges[]): PageRanges {
  return merge(all.flat());
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
