import type { Methods } from "@embedpdf/pdfium";
import { isOfSize } from "#shared/paper-sizes.ts";
import {
  A4,
  fitInto,
  type PrintedSide,
  printedSide,
  type SheetLayout,
  type Size,
} from "#shared/sheet-layout.ts";
import type { PdfiumMemory } from "./page-pictures.ts";

/** FS_SIZEF: two floats. FS_MATRIX: six. FS_RECTF: left, top, right and bottom. */
const SIZE_BYTES = 8;
const MATRIX_BYTES = 24;
const RECT_BYTES = 16;
const FRAME_WIDTH = 0.5;
const FRAME_GREY = 96;
const OPAQUE = 255;
const NO_FILL = 0;

/** A layout and the paper that it is printed on, by default A4. */
export interface PlacedLayout extends SheetLayout {
  sheet?: Size | undefined;
}

/** Places pages on sheets as a layout says. */
interface PageLayouts {
  /**
   * A new document with the pages of `document` on its sides, to be closed by the caller; null where PDFium fails. `taken` has
   * for each place on the sides whether the next page is there or nothing. A page alone on its side is as large as fits on the
   * sheet, which lies as the page does.
   */
  layOut(
    document: number,
    taken: readonly boolean[],
    layout: PlacedLayout,
    hasWidePages: boolean,
  ): number | null;
  /** Whether each of these pages is alone on its side and as large as the sheet already. */
  areFitting(document: number, pages: readonly number[], layout: PlacedLayout): boolean;
  /** Whether most pages of the document are wider than high. */
  hasWidePages(document: number): boolean;
  /** A page as it is seen: a turned one has its width and height exchanged. Null where nothing of it is in sight. */
  sizeOf(document: number, index: number): Size | null;
  /** Left, bottom, right and top of the visible part of a page; null where PDFium fails. */
  visibleBox(page: number): [number, number, number, number] | null;
}

export function createPageLayouts(pdfium: Methods, memory: PdfiumMemory): PageLayouts {
  const { floats } = memory;
  const sizeAt = memory.allocate(SIZE_BYTES);
  const matrixAt = memory.allocate(MATRIX_BYTES);
  const rectAt = memory.allocate(RECT_BYTES);

  function sizeOf(document: number, index: number): Size | null {
    if (!pdfium.FPDF_GetPageSizeByIndexF(document, index, sizeAt)) return null;
    const [width = 0, height = 0] = floats(sizeAt, 2);
    return width > 0 && height > 0 ? { width, height } : null;
  }

  function visibleBox(page: number): [number, number, number, number] | null {
    if (!pdfium.FPDF_GetPageBoundingBox(page, rectAt)) return null;
    const [left = 0, top = 0, right = 0, bottom = 0] = floats(rectAt, 4);
    return [left, bottom, right, top];
  }

  /** An empty page wherever none is to be. */
  function addEmptyPages(document: number, taken: readonly boolean[]): boolean {
    return taken.every((isTaken, index) => {
      const page = isTaken ? 0 : pdfium.FPDFPage_New(document, index, A4.width, A4.height);
      if (page) pdfium.FPDF_ClosePage(page);
      return isTaken || page !== 0;
    });
  }

  /**
   * Moves the pages of one side into their cells. PDFium has made each an object whose lower left corner is the origin, as it
   * is seen, and has placed them without gutters.
   */
  function place(
    page: number,
    sizes: readonly Size[],
    taken: readonly boolean[],
    layout: PlacedLayout,
    hasWidePages: boolean,
  ): boolean {
    const { width, height, cells } = sideFor(layout, hasWidePages, sizes[0]);
    if (pdfium.FPDFPage_CountObjects(page) !== sizes.length) return false;
    pdfium.FPDFPage_SetMediaBox(page, 0, 0, width, height);
    const boxes = sizes.map((size, at) => ({
      size,
      box: fitInto(cells[at] ?? { x: 0, y: 0, ...size }, size),
    }));
    const isPlaced = boxes.every(({ size, box }, at) => {
      floats(matrixAt, 6).set([box.width / size.width, 0, 0, box.height / size.height, box.x, box.y]);
      return pdfium.FPDFPageObj_SetMatrix(pdfium.FPDFPage_GetObject(page, at), matrixAt);
    });
    if (isPlaced && layout.hasFrames) {
      for (const { box } of boxes.filter((_, at) => taken[at])) {
        const frame = pdfium.FPDFPageObj_CreateNewRect(box.x, box.y, box.width, box.height);
        pdfium.FPDFPageObj_SetStrokeColor(frame, FRAME_GREY, FRAME_GREY, FRAME_GREY, OPAQUE);
        pdfium.FPDFPageObj_SetStrokeWidth(frame, FRAME_WIDTH);
        pdfium.FPDFPath_SetDrawMode(frame, NO_FILL, true);
        pdfium.FPDFPage_InsertObject(page, frame);
      }
    }
    return isPlaced && pdfium.FPDFPage_GenerateContent(page);
  }

  function placeAll(
    source: number,
    target: number,
    { taken, places }: { taken: readonly boolean[]; places: number },
    layout: PlacedLayout,
    hasWidePages: boolean,
  ): boolean {
    const total = pdfium.FPDF_GetPageCount(source);
    for (let side = 0; side * places < total; side++) {
      const first = side * places;
      const count = Math.min(places, total - first);
      const sizes = Array.from({ length: count }, (_, at) => sizeOf(source, first + at));
      const known = sizes.filter((size) => size !== null);
      const page = known.length === count ? pdfium.FPDF_LoadPage(target, side) : 0;
      if (!page) return false;
      const isPlaced = place(page, known, taken.slice(first, first + count), layout, hasWidePages);
      pdfium.FPDF_ClosePage(page);
      if (!isPlaced) return false;
    }
    return true;
  }

  return {
    layOut(document, pages, layout, hasWidePages) {
      const { width, height, cells } = sideFor(layout, hasWidePages);
      // PDFium makes objects, which can be moved and scaled, only of pages that share a side: with an empty one, then.
      const isAlone = cells.length === 1;
      const taken = isAlone ? pages.flatMap((isTaken) => [isTaken, false]) : pages;
      const places = isAlone ? 2 : cells.length;
      if (!addEmptyPages(document, taken)) return null;
      // Any grid of so many cells will do: the pages are moved from there.
      const target = pdfium.FPDF_ImportNPagesToOne(document, width, height, places, 1);
      if (!target) return null;
      if (placeAll(document, target, { taken, places }, layout, hasWidePages)) return target;
      pdfium.FPDF_CloseDocument(target);
      return null;
    },
    areFitting(document, pages, { pagesPerSide, sheet = A4 }) {
      if (pagesPerSide > 1) return false;
      return pages.every((index) => {
        const size = sizeOf(document, index);
        return size !== null && isOfSize(size, sheet);
      });
    },
    hasWidePages(document) {
      const total = pdfium.FPDF_GetPageCount(document);
      let wide = 0;
      for (let index = 0; index < total; index++) {
        const size = sizeOf(document, index);
        if (size && size.width > size.height) wide += 1;
      }
      return 2 * wide > total;
    },
    sizeOf,
    visibleBox,
  };
}

/** @param page the page that has the side for itself */
function sideFor(layout: PlacedLayout, hasWidePages: boolean, page?: Size): PrintedSide {
  const { pagesPerSide, sheet = A4 } = layout;
  if (pagesPerSide > 1) return printedSide(layout, hasWidePages, sheet);
  const shown = page ?? sheet;
  const isWide = shown.width > shown.height;
  const lying = isWide ? { width: sheet.height, height: sheet.width } : sheet;
  const { width, height } = isOfSize(shown, sheet) ? shown : lying;
  return { width, height, cells: [{ x: 0, y: 0, width, height }] };
}
