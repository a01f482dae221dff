import type { Methods } from "@embedpdf/pdfium";
import type { Size } from "#shared/sheet-layout.ts";

/** PDFium's memory and what it can call back. */
export interface PdfiumMemory {
  allocate(bytes: number): number;
  free(at: number): void;
  bytes(at: number, length: number): Uint8Array;
  words(at: number, length: number): Uint32Array;
  floats(at: number, length: number): Float32Array;
  addFunction(call: (...values: number[]) => number, signature: string): number;
}

/** A page of an open document, counted from 0. */
export interface PageOf {
  document: number;
  index: number;
}

/** A page as it is printed, on white. */
export interface PagePicture {
  width: number;
  height: number;
  /** Bytes from one row to the next. */
  stride: number;
  /** Four bytes a pixel: blue, green, red and an unused one. */
  pixels: Uint8Array;
}

interface PagePictures {
  /** The page in so many dots to the inch, but small; null when there is nothing to draw. */
  draw(page: PageOf, dotsPerInch: number): PagePicture | null;
  /** Whether two pages look the same when they are printed. */
  areAlike(one: PageOf, other: PageOf): boolean;
  /** Adds a page at `to` that is a picture of `from`; false where PDFium fails. */
  add(from: PageOf, to: PageOf): boolean;
}

const POINTS_PER_INCH = 72;
/** The longest side of a small picture in pixels, however large the page claims to be. */
const MAX_SIDE = 400;
/** Enough for print; an A4 page has 8.7 million pixels then, and one that claims to be larger is drawn in fewer. */
const PRINT_DOTS_PER_INCH = 300;
const MAX_PIXELS = 9_000_000;
const COMPARED_PIXELS = 1_000_000;
/** With its annotations, as a printer would get it. */
export const ANNOTATIONS_FOR_PRINT = 0x01 | 0x800;
const WHITE = 0xffffffff;

/** Draws pages, compares them as pictures, and replaces pages by pictures. */
export function createPagePictures(pdfium: Methods, memory: PdfiumMemory): PagePictures {
  /**
   * Draws a page for `use`, which must not keep the bitmap. Null without such a page or memory for it.
   * @param pixelsOf how large a page of this size in points is drawn
   */
  function drawn<T>(
    { document, index }: PageOf,
    pixelsOf: (points: Size) => Size,
    use: (bitmap: number, sizes: { pixels: Size; points: Size }) => T,
  ): T | null {
    const page = pdfium.FPDF_LoadPage(document, index);
    if (!page) return null;
    const points = { width: pdfium.FPDF_GetPageWidthF(page), height: pdfium.FPDF_GetPageHeightF(page) };
    const pixels = pixelsOf(points);
    const bitmap = pdfium.FPDFBitmap_Create(pixels.width, pixels.height, 0);
    if (bitmap) {
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, pixels.width, pixels.height, WHITE);
      pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, pixels.width, pixels.height, 0, ANNOTATIONS_FOR_PRINT);
    }
    pdfium.FPDF_ClosePage(page);
    if (!bitmap) return null;
    const result = use(bitmap, { pixels, points });
    pdfium.FPDFBitmap_Destroy(bitmap);
    return result;
  }

  function pictureOf(page: PageOf, pixelsOf: (points: Size) => Size): PagePicture | null {
    return drawn(page, pixelsOf, (bitmap, { pixels: { width, height } }) => {
      const stride = pdfium.FPDFBitmap_GetStride(bitmap);
      const pixels = memory.bytes(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * height).slice();
      return { width, height, stride, pixels };
    });
  }

  return {
    draw: (page, dotsPerInch) => pictureOf(page, smallAt(dotsPerInch)),
    areAlike(one, other) {
      const most = mostPixels(POINTS_PER_INCH, COMPARED_PIXELS);
      const [first, second] = [pictureOf(one, most), pictureOf(other, most)];
      return first !== null && second !== null && Buffer.compare(first.pixels, second.pixels) === 0;
    },
    add(from, { document, index }) {
      const most = mostPixels(PRINT_DOTS_PER_INCH, MAX_PIXELS);
      const isAdded = drawn(from, most, (bitmap, { points: { width, height } }) => {
        const page = pdfium.FPDFPage_New(document, index, width, height);
        const picture = pdfium.FPDFPageObj_NewImageObj(document);
        const isDone =
          pdfium.FPDFImageObj_SetBitmap(0, 0, picture, bitmap) &&
          pdfium.FPDFImageObj_SetMatrix(picture, width, 0, 0, height, 0, 0);
        pdfium.FPDFPage_InsertObject(page, picture);
        const isWritten = pdfium.FPDFPage_GenerateContent(page);
        pdfium.FPDF_ClosePage(page);
        return isDone && isWritten;
      });
      return isAdded ?? false;
    },
  };
}

/** At most MAX_SIDE pixels long. */
function smallAt(dotsPerInch: number) {
  return ({ width, height }: Size): Size => {
    const scale = Math.min(dotsPerInch / POINTS_PER_INCH, MAX_SIDE / Math.max(width, height));
    const pixels = (points: number) => Math.max(1, Math.round(points * scale));
    return { width: pixels(width), height: pixels(height) };
  };
}

/** At most so many pixels in all. */
function mostPixels(dotsPerInch: number, most: number) {
  return ({ width, height }: Size): Size => {
    const scale = Math.min(dotsPerInch / POINTS_PER_INCH, Math.sqrt(most / (width * height)));
    const pixels = (points: number) => Math.max(1, Math.floor(points * scale));
    return { width: pixels(width), height: pixels(height) };
  };
}
