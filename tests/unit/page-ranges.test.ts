import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  chosenPagesText,
  commonPages,
  countPages,
  countRanges,
  everyPage,
  NO_PAGES,
  type PageRanges,
  pagesWithout,
  rangesOfPages,
  readPageRanges,
  writePageRanges,
} from "#shared/print-pages.ts";

/** The page ranges that a text means in a file, or the error message. */
function read(text: string, pageCount = 32): string {
  const reading = readPageRanges(text, pageCount);
  return reading.ok ? writePageRanges(reading.ranges) : reading.message;
}

function pagesOf(ranges: PageRanges): number[] {
  return ranges.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, i) => first + i));
}

describe("the pages to print", () => {
  test.each([
    ["1-10, 15, 20-", "1-10, 15, 20-32"],
    ["1-10,15,20-", "1-10, 15, 20-32"],
    ["7", "7"],
    ["-5", "1-5"],
    ["1 – 3; 5 —", "1-3, 5-32"],
    ["1‐3,5‑6,8‒9,11–12,14—15,17−18", "1-3, 5-6, 8-9, 11-12, 14-15, 17-18"],
    ["1  -  3", "1-3"],
    ["3 5 7", "3, 5, 7"],
    ["5,", "5"],
    ["  ", "1-32"],
    ["9, 1-3, 2-5, 6, 9", "1-6, 9"],
    ["1-32", "1-32"],
  ])("typed as %j are %s", (text, pages) => {
    expect(read(text)).toBe(pages);
  });

  test.each([
    ["40", "There is no page 40: this file has 32 pages"],
    ["1-40", "There is no page 40: this file has 32 pages"],
    ["33-", "There is no page 33: this file has 32 pages"],
    ["5-0", "There is no page 0: pages are counted from 1"],
    ["a".repeat(20), `“${"a".repeat(20)}” is not a page. Write pages such as 1-10, 15, 20-`],
    ["a".repeat(21), "Write pages such as 1-10, 15, 20-"],
    ["0-3", "There is no page 0: pages are counted from 1"],
    ["10-1", "“10-1” runs backwards: write 1-10"],
    ["all", "“all” is not a page. Write pages such as 1-10, 15, 20-"],
    ["1-2-3", "“1-2-3” is not a page. Write pages such as 1-10, 15, 20-"],
    ["1.5", "“1.5” is not a page. Write pages such as 1-10, 15, 20-"],
    ["99999999999", "“99999999999” is not a page. Write pages such as 1-10, 15, 20-"],
    ["-", "Write pages such as 1-10, 15, 20-"],
    [",", "Write pages such as 1-10, 15, 20-"],
  ])("typed as %j are refused: %s", (text, message) => {
    expect(read(text)).toBe(message);
  });

  test("of a one-page file are refused with '1 page' in the singular", () => {
    expect(read("2", 1)).toBe("There is no page 2: this file has 1 page");
  });

  test("are read in one walk, however many spaces are between them: from each space these would take minutes", () => {
    const spaces = " ".repeat(1_000_000);
    expect(countRanges([`1${spaces}2`, `3${spaces}-${spaces}4`])).toBe(3);
  });

  test("are shown with their number", () => {
    expect(chosenPagesText({ pages: 1200, pageRanges: null })).toBe("1,200 pages");
    expect(chosenPagesText({ pages: 32, pageRanges: "1-10, 15" })).toBe(
      "only pages 1-10, 15: 11 of 32 pages",
    );
    expect(chosenPagesText({ pages: 32, pageRanges: "15" })).toBe("only page 15: 1 of 32 pages");
    expect(chosenPagesText({ pages: 32, pageRanges: NO_PAGES })).toBe("not printed");
  });
});

const pageCounts = fc.integer({ min: 1, max: 200 });
/** A page count and some of its pages, unsorted and with repeats. */
const selections = pageCounts.chain((pageCount) =>
  fc.tuple(fc.constant(pageCount), fc.array(fc.integer({ min: 1, max: pageCount }), { minLength: 1 })),
);

describe("page ranges", () => {
  test("contain each page once, in ascending order, and can be parsed from their own text", () => {
    fc.assert(
      fc.property(selections, ([pageCount, pages]) => {
        const ranges = rangesOfPages(pages);
        expect(pagesOf(ranges)).toEqual([...new Set(pages)].sort((a, b) => a - b));
        expect(countPages(ranges)).toBe(new Set(pages).size);
        expect(readPageRanges(writePageRanges(ranges), pageCount)).toEqual({ ok: true, ranges });
      }),
    );
  });

  test("do not overlap or touch", () => {
    fc.assert(
      fc.property(selections, ([, pages]) => {
        const ranges = rangesOfPages(pages);
        for (const [index, { first, last }] of ranges.entries()) {
          expect(first).toBeLessThanOrEqual(last);
          expect(first).toBeGreaterThan((ranges[index - 1]?.last ?? -1) + 1);
        }
      }),
    );
  });

  test("intersect in the pages that both contain", () => {
    const some = fc.array(fc.integer({ min: 1, max: 60 }));
    fc.assert(
      fc.property(some, some, (one, other) => {
        const common = commonPages(rangesOfPages(one), rangesOfPages(other));
        expect(common).toEqual(rangesOfPages(one.filter((page) => other.includes(page))));
      }),
    );
  });

  test("without others keep the pages that only the first contain", () => {
    const some = fc.array(fc.integer({ min: 1, max: 60 }));
    fc.assert(
      fc.property(some, some, (one, other) => {
        const left = pagesWithout(rangesOfPages(one), rangesOfPages(other));
        expect(left).toEqual(rangesOfPages(one.filter((page) => !other.includes(page))));
      }),
    );
  });

  test("of many single pages are compared in one walk: pair by pair these would take minutes", () => {
    const every = (step: number) => rangesOfPages(Array.from({ length: 100_000 }, (_, at) => 1 + step * at));
    const [second, third] = [every(2), every(3)];
    const common = commonPages(second, third);
    expect(countPages(common)).toBe(33_334);
    expect(countPages(pagesWithout(second, third))).toBe(100_000 - 33_334);
  });

  test("of all pages are one range, or none for no pages", () => {
    expect(everyPage(3)).toEqual([{ first: 1, last: 3 }]);
    expect(everyPage(0)).toEqual([]);
  });
});

/** A part as somebody types it, and which pages it means. */
const typedParts = (pageCount: number) =>
  fc
    .record({
      form: fc.constantFrom("single", "range", "from", "to"),
      page: fc.integer({ min: 1, max: pageCount }),
      other: fc.integer({ min: 1, max: pageCount }),
      dash: fc.constantFrom("-", "–", " - ", "—", " −"),
      separator: fc.constantFrom(",", " ", ";", ", ", " ,, "),
    })
    .map(({ form, page, other, dash, separator }) => {
      const [first, last] = page <= other ? [page, other] : [other, page];
      if (form === "single") return { text: `${page}`, separator, has: (any: number) => any === page };
      if (form === "from") return { text: `${page}${dash}`, separator, has: (any: number) => any >= page };
      if (form === "to") return { text: `${dash}${page}`, separator, has: (any: number) => any <= page };
      return { text: `${first}${dash}${last}`, separator, has: (any: number) => any >= first && any <= last };
    });

test("typed parts mean together every page that one of them means, in the order of the document", () => {
  const typed = pageCounts.chain((pageCount) =>
    fc.tuple(fc.constant(pageCount), fc.array(typedParts(pageCount), { minLength: 1, maxLength: 6 })),
  );
  fc.assert(
    fc.property(typed, ([pageCount, parts]) => {
      // With only a space between, a dash would join the parts beside it.
      const text = parts
        .map((part) => (/^\d+$|^\d.*\d$/.test(part.text) ? part.text : `,${part.text},`) + part.separator)
        .join("");
      const all = Array.from({ length: pageCount }, (_, index) => index + 1);
      const reading = readPageRanges(text, pageCount);
      expect(reading.ok && pagesOf(reading.ranges), text).toEqual(
        all.filter((page) => parts.some((part) => part.has(page))),
      );
    }),
  );
});

test("any text either yields pages of the document or is refused with a message", () => {
  const near = fc.string({ unit: fc.constantFrom(..."0123456789-–, ;.x") });
  fc.assert(
    fc.property(fc.oneof(near, fc.string()), pageCounts, (text, pageCount) => {
      const reading = readPageRanges(text, pageCount);
      if (reading.ok) {
        expect(countPages(reading.ranges)).toBeGreaterThan(0);
        expect(reading.ranges.every(({ first, last }) => first >= 1 && last <= pageCount)).toBe(true);
      } else expect(reading.message).toMatch(/^.{10,120}$/u);
    }),
    { numRuns: 2000 },
  );
});
