/** A page or an upright sheet, in points. */
export interface Size {
  width: number;
  height: number;
}

/** How many pages of a file may be on one printed side. */
export const PAGES_PER_SIDE = [1, 2, 4, 6, 9] as const;
export type PagesPerSide = (typeof PAGES_PER_SIDE)[number];

/** How pages are placed on the printed sides. */
export interface SheetLayout {
  pagesPerSide: PagesPerSide;
  /** A thin line around each page. */
  hasFrames: boolean;
  /** Two pages on a side in such an order that each file's sheets, laid on each other and folded, are a booklet. */
  isBooklet: boolean;
  /** Whether pages are read down, column by column; by default across, row by row. */
  readsDown?: boolean | undefined;
}

/** Only what belongs to the layout. */
export function layoutOf({ pagesPerSide, hasFrames, isBooklet, readsDown }: SheetLayout): SheetLayout {
  return { pagesPerSide, hasFrames, isBooklet, ...(readsDown && { readsDown }) };
}

/** A rectangle on a sheet in points, from its lower left corner. */
export interface Cell {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A printed side in points, with the cells of its pages in the order of reading. */
export interface PrintedSide {
  width: number;
  height: number;
  cells: Cell[];
}

/** In points. */
export const A4: Size = { width: 595.276, height: 841.89 };
/** Printers leave about 5 mm at the edge of a sheet white. */
const MARGIN = 18;
const GUTTER = 12;
/** Columns and rows for upright pages; 2 and 6 of them lie on a wide sheet, and wide pages the other way round. */
const GRIDS: Record<PagesPerSide, { columns: number; rows: number; isTurned: boolean }> = {
  1: { columns: 1, rows: 1, isTurned: false },
  2: { columns: 2, rows: 1, isTurned: true },
  4: { columns: 2, rows: 2, isTurned: false },
  6: { columns: 3, rows: 2, isTurned: true },
  9: { columns: 3, rows: 3, isTurned: false },
};

/** Whether so many pages of this kind are printed on a landscape sheet. */
export function liesOnSide(pagesPerSide: PagesPerSide, hasWidePages: boolean): boolean {
  return GRIDS[pagesPerSide].isTurned !== hasWidePages;
}

/** The sheet that suits pages of this kind best: so that they are upright on it and as large as possible. */
export function printedSide(
  { pagesPerSide, readsDown = false }: Pick<SheetLayout, "pagesPerSide" | "readsDown">,
  hasWidePages: boolean,
  sheet: Size = A4,
): PrintedSide {
  const grid = GRIDS[pagesPerSide];
  const isWide = liesOnSide(pagesPerSide, hasWidePages);
  const [columns, rows] =
    hasWidePages && grid.isTurned ? [grid.rows, grid.columns] : [grid.columns, grid.rows];
  const [width, height] = isWide ? [sheet.height, sheet.width] : [sheet.width, sheet.height];
  const cell = {
    width: (width - 2 * MARGIN - (columns - 1) * GUTTER) / columns,
    height: (height - 2 * MARGIN - (rows - 1) * GUTTER) / rows,
  };
  const cells = Array.from({ length: pagesPerSide }, (_, at) => {
    const [column, row] = readsDown
      ? [Math.floor(at / rows), at % rows]
      : [at % columns, Math.floor(at / columns)];
    return {
      ...cell,
      x: MARGIN + column * (cell.width + GUTTER),
      y: height - MARGIN - cell.height - row * (cell.height + GUTTER),
    };
  });
  return { width, height, cells };
}

/** The largest rectangle of the page's shape in the middle of a cell. */
export function fitInto(cell: Cell, page: Size): Cell {
  const scale = Math.min(cell.width / page.width, cell.height / page.height);
  const [width, height] = [page.width * scale, page.height * scale];
  return {
    x: cell.x + (cell.width - width) / 2,
    y: cell.y + (cell.height - height) / 2,
    width,
    height,
  };
}

/** The number of printed sides that so many pages of one file take. Sides with nothing on them are not printed. */
export function sidesOf(pages: number, { pagesPerSide, isBooklet }: SheetLayout): number {
  return isBooklet ? bookletOrder(pages).length / 2 : Math.ceil(pages / pagesPerSide);
}

/** Stands for an empty half of a sheet. */
export const NO_PAGE = -1;

/**
 * So many pages, from 0, in the order in which they lie on the sides of a booklet, two on each: on the front of the outermost
 * sheet the last and the first, on its back the second and the last but one. The last ones are NO_PAGE, up to a multiple of 4.
 */
export function bookletOrder(pages: number): number[] {
  const sheets = Math.ceil(pages / 4);
  const order = Array.from({ length: sheets }, (_, sheet) => {
    const [first, last] = [2 * sheet, 4 * sheets - 1 - 2 * sheet];
    return [last, first, first + 1, last - 1];
  }).flat();
  // A single page has nothing on its back.
  return order.slice(0, pages === 1 ? 2 : undefined).map((page) => (page < pages ? page : NO_PAGE));
}
