import type { Methods } from "@embedpdf/pdfium";
import type { PdfiumMemory } from "./print-copy.ts";

/** The calls of PDFium that pictures of pages take. */
export type PictureCalls = Pick<
  Methods,
  | "FPDF_LoadPage"
  | "FPDF_ClosePage"
  | "FPDF_GetPageWidthF"
  | "FPDF_GetPageHeightF"
  | "FPDF_RenderPageBitmap"
  | "FPDFBitmap_Create"
  | "FPDFBitmap_Destroy"
  | "FPDFBitmap_FillRect"
  | "FPDFBitmap_GetBuffer"
  | "FPDFPage_New"
  | "FPDFPage_InsertObject"
  | "FPDFPage_GenerateContent"
  | "FPDFPageObj_NewImageObj"
  | "FPDFImageObj_SetBitmap"
  | "FPDFImageObj_SetMatrix"
>;

/** A page of an open document, counted from 0. */
interface PageOf {
  document: number;
  index: number;
}

interface PagePictures {
  /** Whether two pages look the same when they are printed. */
  areAlike(one: PageOf, other: PageOf): boolean;
  /** Adds a page at `to` that is a picture of `from`; false where PDFium fails. */
  add(from: PageOf, to: PageOf): boolean;
}

const POINTS_PER_INCH = 72;
/** Enough for print; an A4 page has 8.7 million pixels then, and one that claims to be larger is drawn in fewer. */
const DOTS_PER_INCH = 300;
const MAX_PIXELS = 9_000_000;
const COMPARED_PIXELS = 1_000_000;
const BYTES_PER_PIXEL = 4;
/** With its annotations, as a printer would get it. */
const ANNOTATIONS_FOR_PRINT = 0x01 | 0x800;
const WHITE = 0xffffffff;

/** Compares pages as pictures, and replaces pages by pictures. */
export function createPagePictures(pdfium: PictureCalls, memory: PdfiumMemory): PagePictures {
  /** Draws a page, at most so large, for `use`, which must not keep the bitmap. Null without such a page or memory for it. */
  function drawn<T>(
    { document, index }: PageOf,
    most: { dotsPerInch: number; pixels: number },
    use: (bitmap: number, size: { width: number; height: number; points: [number, number] }) => T,
  ): T | null {
    const page = pdfium.FPDF_LoadPage(document, index);
    if (!page) return null;
    const points: [number, number] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)];
    const scale = Math.min(
      most.dotsPerInch / POINTS_PER_INCH,
      Math.sqrt(most.pixels / (points[0] * points[1])),
    );
    const [width = 1, height = 1] = points.map((length) => Math.max(1, Math.floor(length * scale)));
    const bitmap = pdfium.FPDFBitmap_Create(width, height, 0);
    if (bitmap) {
      pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
      pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, ANNOTATIONS_FOR_PRINT);
    }
    pdfium.FPDF_ClosePage(page);
    if (!bitmap) return null;
    const result = use(bitmap, { width, height, points });
    pdfium.FPDFBitmap_Destroy(bitmap);
    return result;
  }

  function pixelsOf(page: PageOf): Buffer | null {
    return drawn(
      page,
      { dotsPerInch: POINTS_PER_INCH, pixels: COMPARED_PIXELS },
      (bitmap, { width, height }) =>
        Buffer.from(memory.bytes(pdfium.FPDFBitmap_GetBuffer(bitmap), width * height * BYTES_PER_PIXEL)),
    );
  }

  return {
    areAlike(one, other) {
      const [first, second] = [pixelsOf(one), pixelsOf(other)];
      return first !== null && second !== null && first.equals(second);
    },
    add(from, { document, index }) {
      const most = { dotsPerInch: DOTS_PER_INCH, pixels: MAX_PIXELS };
      const isAdded = drawn(from, most, (bitmap, { points: [width, height] }) => {
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
