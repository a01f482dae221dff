import type { Methods } from "@embedpdf/pdfium";
import { isOfSize } from "#shared/paper-sizes.ts";
import { A4, fitInto, printedSide, type SheetLayout, type Size } from "#shared/sheet-layout.ts";
import type { PdfiumMemory } from "./page-pictures.ts";

/** The calls of PDFium that placing several pages on a side takes. */
export type LayoutCalls = Pick<
  Methods,
  | "FPDF_CloseDocument"
  | "FPDF_GetPageCount"
  | "FPDF_GetPageBoundingBox"
  | "FPDF_GetPageSizeByIndexF"
  | "FPDF_ImportNPagesToOne"
  | "FPDF_LoadPage"
  | "FPDF_ClosePage"
  | "FPDFPage_New"
  | "FPDFPage_CountObjects"
  | "FPDFPage_GetObject"
  | "FPDFPage_InsertObject"
  | "FPDFPage_GenerateContent"
  | "FPDFPage_SetCropBox"
  | "FPDFPage_SetMediaBox"
  | "FPDFPage_TransFormWithClip"
  | "FPDFPageObj_SetMatrix"
  | "FPDFPageObj_CreateNewRect"
  | "FPDFPageObj_SetStrokeColor"
  | "FPDFPageObj_SetStrokeWidth"
  | "FPDFPath_SetDrawMode"
>;

/** FS_SIZEF: two floats. FS_MATRIX: six. FS_RECTF: left, top, right and bottom. */
const SIZE_BYTES = 8;
const MATRIX_BYTES = 24;
const RECT_BYTES = 16;
const FRAME_WIDTH = 0.5;
const FRAME_GREY = 96;
const UNCHANGED = [1, 0, 0, 1, 0, 0];
const STATES_TO_RESTORE = 4;
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
   * for each place on the sides whether the next page is there or nothing.
   */
  layOut(
    document: number,
    taken: readonly boolean[],
    layout: PlacedLayout,
    hasWidePages: boolean,
  ): number | null;
  /**
   * Makes a page as large as the sheet, upright or on its side as it is itself, with what was on it as large as fits in the
   * middle. A page that is as large already stays as it is. False where PDFium fails.
   */
  fit(page: number, sheet: Size): boolean;
  /** Whether most pages of the document are wider than high. */
  hasWidePages(document: number): boolean;
  /** A page as it is seen: a turned one has its width and height exchanged. Null where nothing of it is in sight. */
  sizeOf(document: number, index: number): Size | null;
  /** Left, bottom, right and top of the visible part of a page; null where PDFium fails. */
  visibleBox(page: number): [number, number, number, number] | null;
}

export function createPageLayouts(pdfium: LayoutCalls, memory: PdfiumMemory): PageLayouts {
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
    const { cells } = printedSide(layout, hasWidePages, layout.sheet);
    if (pdfium.FPDFPage_CountObjects(page) !== sizes.length) return false;
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
    taken: readonly boolean[],
    layout: PlacedLayout,
    hasWidePages: boolean,
  ): boolean {
    const total = pdfium.FPDF_GetPageCount(source);
    for (let side = 0; side * layout.pagesPerSide < total; side++) {
      const first = side * layout.pagesPerSide;
      const count = Math.min(layout.pagesPerSide, total - first);
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
    layOut(document, taken, layout, hasWidePages) {
      const { width, height, cells } = printedSide(layout, hasWidePages, layout.sheet);
      if (!addEmptyPages(document, taken)) return null;
      // Any grid of so many cells will do: the pages are moved from there.
      const target = pdfium.FPDF_ImportNPagesToOne(document, width, height, cells.length, 1);
      if (!target) return null;
      if (placeAll(document, target, taken, layout, hasWidePages)) return target;
      pdfium.FPDF_CloseDocument(target);
      return null;
    },
    fit(page, sheet) {
      const visible = visibleBox(page);
      if (!visible) return false;
      const [left, bottom, right, top] = visible;
      const size = { width: right - left, height: top - bottom };
      if (isOfSize(size, sheet)) return true;
      // A turned page is turned on its sheet as well, so both lie the same way before.
      const isWide = size.width > size.height;
      const side = isWide ? { width: sheet.height, height: sheet.width } : sheet;
      const box = fitInto({ x: 0, y: 0, ...side }, size);
      const scale = box.width / size.width;
      // Pages of some programs restore states that they have not saved, and would lose the scale: they get some to restore.
      floats(matrixAt, 6).set(UNCHANGED);
      for (let state = 0; state < STATES_TO_RESTORE; state++)
        pdfium.FPDFPage_TransFormWithClip(page, matrixAt, 0);
      floats(matrixAt, 6).set([scale, 0, 0, scale, box.x - scale * left, box.y - scale * bottom]);
      // What the page hides beyond its edges stays hidden.
      floats(rectAt, 4).set([box.x, box.y + box.height, box.x + box.width, box.y]);
      const isBlank = pdfium.FPDFPage_CountObjects(page) === 0;
      const isMoved = pdfium.FPDFPage_TransFormWithClip(page, matrixAt, rectAt);
      pdfium.FPDFPage_SetMediaBox(page, 0, 0, side.width, side.height);
      pdfium.FPDFPage_SetCropBox(page, 0, 0, side.width, side.height);
      return isMoved || isBlank;
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
