import type { Methods } from "@embedpdf/pdfium";

/** The calls of PDFium that drawing takes. */
export type DrawingCalls = Pick<
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
  | "FPDFBitmap_GetStride"
>;

/** A page as it is printed, on white. */
export interface PagePicture {
  width: number;
  height: number;
  /** Bytes from one row to the next. */
  stride: number;
  /** Four bytes a pixel: blue, green, red and one that says nothing. */
  pixels: Uint8Array;
}

const POINTS_PER_INCH = 72;
/** However large a page claims to be, its picture is no longer or wider than this; in pixels. */
const MAX_SIDE = 400;
/** With its annotations, as a printer would get it. */
const ANNOTATIONS_FOR_PRINT = 0x01 | 0x800;
const WHITE = 0xffffffff;

/** Draws the page, counted from 0, small; null when there is nothing to draw. `bytesAt` gives a copy of the memory. */
export function drawPage(
  pdfium: DrawingCalls,
  bytesAt: (at: number, length: number) => Uint8Array,
  { document, index, dotsPerInch }: { document: number; index: number; dotsPerInch: number },
): PagePicture | null {
  const page = pdfium.FPDF_LoadPage(document, index);
  if (!page) return null;
  const { width, height } = pictureSize(
    pdfium.FPDF_GetPageWidthF(page),
    pdfium.FPDF_GetPageHeightF(page),
    dotsPerInch,
  );
  const bitmap = pdfium.FPDFBitmap_Create(width, height, 0);
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, ANNOTATIONS_FOR_PRINT);
  const stride = pdfium.FPDFBitmap_GetStride(bitmap);
  const pixels = bytesAt(pdfium.FPDFBitmap_GetBuffer(bitmap), stride * height);
  pdfium.FPDFBitmap_Destroy(bitmap);
  pdfium.FPDF_ClosePage(page);
  return { width, height, stride, pixels };
}

/** In whole pixels, of a page that is measured in points. */
function pictureSize(pageWidth: number, pageHeight: number, dotsPerInch: number) {
  const scale = Math.min(dotsPerInch / POINTS_PER_INCH, MAX_SIDE / Math.max(pageWidth, pageHeight));
  const pixels = (points: number) => Math.max(1, Math.round(points * scale));
  return { width: pixels(pageWidth), height: pixels(pageHeight) };
}
