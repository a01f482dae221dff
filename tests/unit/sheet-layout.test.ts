import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  bookletOrder,
  fitInto,
  NO_PAGE,
  PAGES_PER_SIDE,
  printedSide,
  sidesOf,
} from "#shared/sheet-layout.ts";

const GUTTER = 12;
const MARGIN = 18;

describe.each(PAGES_PER_SIDE)("%i pages on a side", (pagesPerSide) => {
  test.each([false, true])(
    "have cells of one size in reading order, apart, and reaching to the margin (wide pages: %s)",
    (isWide) => {
      const { width, height, cells } = printedSide({ pagesPerSide }, isWide);
      expect([Math.min(width, height), Math.max(width, height)]).toEqual([595.276, 841.89]);
      expect(cells).toHaveLength(pagesPerSide);
      expect(Math.min(...cells.map(({ x }) => x))).toBeCloseTo(MARGIN, 6);
      expect(Math.min(...cells.map(({ y }) => y))).toBeCloseTo(MARGIN, 6);
      expect(Math.max(...cells.map((cell) => cell.x + cell.width))).toBeCloseTo(width - MARGIN, 6);
      expect(Math.max(...cells.map((cell) => cell.y + cell.height))).toBeCloseTo(height - MARGIN, 6);
      for (const [at, cell] of cells.entries()) {
        expect([cell.width, cell.height]).toEqual([cells[0]?.width, cells[0]?.height]);
        const next = cells[at + 1];
        if (!next) continue;
        const isInRow = Math.abs(next.x - cell.x - cell.width - GUTTER) < 0.001 && next.y === cell.y;
        const isBelow = Math.abs(cell.y - next.y - next.height - GUTTER) < 0.001 && next.x === cells[0]?.x;
        expect(isInRow || isBelow).toBe(true);
      }
    },
  );

  test.each([false, true])("can be read down the same cells, column by column (wide pages: %s)", (isWide) => {
    const across = printedSide({ pagesPerSide }, isWide);
    const { cells, ...side } = printedSide({ pagesPerSide, readsDown: true }, isWide);
    expect(side).toEqual({ width: across.width, height: across.height });
    const byColumn = across.cells.toSorted((a, b) => a.x - b.x || b.y - a.y);
    expect(cells).toEqual(byColumn);
  });

  test("lie on the sheet so that pages of the usual shape are as large as they can be", () => {
    const areaOf = (isWide: boolean, page: { width: number; height: number }) => {
      const { cells } = printedSide({ pagesPerSide }, isWide);
      const { width, height } = fitInto(cells[0] ?? { x: 0, y: 0, ...page }, page);
      return width * height;
    };
    const upright = { width: 595, height: 842 };
    const slide = { width: 960, height: 540 };
    expect(areaOf(false, upright)).toBeGreaterThan(areaOf(true, upright));
    expect(areaOf(true, slide)).toBeGreaterThan(areaOf(false, slide));
  });
});

test("a page keeps its shape in the middle of its cell and touches two of its edges", () => {
  const size = fc.record({
    width: fc.integer({ min: 1, max: 5000 }),
    height: fc.integer({ min: 1, max: 5000 }),
  });
  fc.assert(
    fc.property(size, size, (cell, page) => {
      const box = fitInto({ x: 10, y: 20, ...cell }, page);
      expect(box.width / box.height).toBeCloseTo(page.width / page.height, 6);
      expect(box.x - 10).toBeCloseTo((cell.width - box.width) / 2, 6);
      expect(box.y - 20).toBeCloseTo((cell.height - box.height) / 2, 6);
      expect(Math.min(cell.width - box.width, cell.height - box.height)).toBeCloseTo(0, 6);
      expect(Math.max(box.width - cell.width, box.height - cell.height)).toBeLessThan(0.000001);
    }),
  );
});

test("the last side of a file may have fewer pages", () => {
  const layout = { pagesPerSide: 4, hasFrames: false, isBooklet: false } as const;
  expect([0, 1, 4, 5, 8, 9].map((pages) => sidesOf(pages, layout))).toEqual([0, 1, 1, 2, 2, 3]);
});

/** What lies on each other is folded once: page numbers from 0 as somebody turns the leaves of the booklet. */
function readBooklet(order: number[]): (number | undefined)[] {
  const sheets = Array.from({ length: Math.ceil(order.length / 4) }, (_, at) =>
    order.slice(4 * at, 4 * at + 4),
  );
  const firstHalf = sheets.flatMap(([, front, back]) => [front, back]);
  const secondHalf = sheets.toReversed().flatMap(([last, , , beforeLast]) => [beforeLast, last]);
  return [...firstHalf, ...secondHalf];
}

test("a folded booklet has its pages in order, and nothing after the last one", () => {
  fc.assert(
    fc.property(fc.integer({ min: 2, max: 500 }), (pages) => {
      const order = bookletOrder(pages);
      const read = readBooklet(order);
      expect(order.length % 4).toBe(0);
      expect(order.filter((page) => page >= 0)).toHaveLength(pages);
      expect(order.length - pages).toBeLessThan(4);
      expect(read.slice(0, pages)).toEqual(Array.from({ length: pages }, (_, at) => at));
      expect(new Set(read.slice(pages))).toEqual(new Set(order.length > pages ? [NO_PAGE] : []));
      expect(sidesOf(pages, { pagesPerSide: 2, hasFrames: false, isBooklet: true })).toBe(order.length / 2);
    }),
  );
});

test("a booklet of one page has an empty half beside it and nothing on its back", () => {
  expect([bookletOrder(0), bookletOrder(1)]).toEqual([[], [NO_PAGE, 0]]);
});
