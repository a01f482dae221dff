import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  countPages,
  countPrinted,
  firstPages,
  hasPage,
  NO_PAGES,
  printedPages,
  rangesOfPages,
  storedPages,
  togglePage,
  willPrintText,
  writePageRanges,
} from "#shared/print-pages.ts";

const file = fc.integer({ min: 1, max: 60 }).chain((pages) =>
  fc.record({
    pages: fc.constant(pages),
    pageRanges: fc.oneof(
      fc.constant(null),
      fc
        .array(fc.integer({ min: 1, max: pages }), { minLength: 1 })
        .map((chosen) => writePageRanges(rangesOfPages(chosen))),
    ),
  }),
);
type File = { pages: number; pageRanges: string | null };

/** All printed pages as `file index:page number`. */
function listPages(files: readonly File[]): string[] {
  return files.flatMap((each, place) =>
    printedPages(each).flatMap(({ first, last }) =>
      Array.from({ length: last - first + 1 }, (_, at) => `${place}:${first + at}`),
    ),
  );
}

describe("the pages of an order", () => {
  test("are the first N of the chosen pages, for any choice", () => {
    fc.assert(
      fc.property(fc.array(file, { minLength: 1, maxLength: 6 }), fc.nat(), (files, some) => {
        const total = countPrinted(files);
        const count = 1 + (some % total);
        const first = firstPages(files, count);
        expect(countPrinted(first)).toBe(count);
        expect(listPages(first)).toEqual(listPages(files).slice(0, count));
        expect(firstPages(first, count)).toEqual(first);
      }),
    );
  });

  test.each<[File[], number, (string | null)[]]>([
    [[{ pages: 200, pageRanges: null }], 1, ["1"]],
    [[{ pages: 20, pageRanges: null }], 20, [null]],
    [
      [
        { pages: 3, pageRanges: null },
        { pages: 9, pageRanges: "2-4, 8" },
        { pages: 1, pageRanges: null },
      ],
      5,
      [null, "2-3", NO_PAGES],
    ],
    [[{ pages: 5, pageRanges: "1-2, 5" }], 9, ["1-2, 5"]],
  ])("%j lowered to %i are correct", (files, count, expected) => {
    expect(firstPages(files, count).map(({ pageRanges }) => pageRanges)).toEqual(expected);
  });

  test("are none if the stored page range cannot be read", () => {
    expect(countPrinted([{ pages: 5, pageRanges: "8-9" }])).toBe(0);
  });

  test("are shown before they are ordered", () => {
    const thesis = { name: "Thesis.pdf", pages: 20, pageRanges: "1-3" };
    expect(willPrintText([thesis])).toBe("Pages 1-3 of 20 will be printed");
    expect(willPrintText([{ ...thesis, pageRanges: "7" }])).toBe("Page 7 of 20 will be printed");
    expect(willPrintText([thesis, { name: "Lab.pdf", pages: 4, pageRanges: NO_PAGES }])).toBe(
      "3 of 24 pages will be printed. Your files above show which",
    );
  });
});

test("no pages are stored as an empty text, and nothing where nobody has looked", () => {
  expect([storedPages("", 9), storedPages(null, 9)]).toEqual([[], []]);
  expect(storedPages("2-3", 9)).toEqual([{ first: 2, last: 3 }]);
});

test("a page is left out and taken in again, and no other changes", () => {
  fc.assert(
    fc.property(file, fc.nat(), (each, seed) => {
      const page = 1 + (seed % each.pages);
      const before = printedPages(each);
      const after = togglePage(before, page);
      expect(hasPage(after, page)).toBe(!hasPage(before, page));
      expect(countPages(after) - countPages(before)).toBe(hasPage(before, page) ? -1 : 1);
      expect(togglePage(after, page)).toEqual(before);
    }),
  );
});
