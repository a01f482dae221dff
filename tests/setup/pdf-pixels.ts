import type { WrappedPdfiumModule } from "@embedpdf/pdfium";
import { memoryOf, withPdf } from "./pdf-reader.ts";

/** A rendered page, four bytes per pixel. */
export interface PagePixels {
  width: number;
  height: number;
  pixels: Uint8Array;
}

const ANNOTATIONS_FOR_PRINT = 0x01 | 0x800;
/** The largest difference in a channel, out of 255, that counts as equal. */
const SAME = 24;

/** Renders all pages at 72 dpi times `scale`, including form values. */
export async function drawPages(pdf: Uint8Array, scale = 1): Promise<PagePixels[]> {
  return withPdf(pdf, (pdfium, document) => {
    const info = pdfium.PDFiumExt_OpenFormFillInfo();
    const form = pdfium.PDFiumExt_InitFormFillEnvironment(document, info);
    pdfium.FPDF_SetFormFieldHighlightAlpha(form, 0);
    const pages = Array.from({ length: pdfium.FPDF_GetPageCount(document) }, (_, index) =>
      drawPage(pdfium, document, { form, index, scale }),
    );
    pdfium.PDFiumExt_ExitFormFillEnvironment(form);
    pdfium.PDFiumExt_CloseFormFillInfo(info);
    return pages;
  });
}

function drawPage(
  pdfium: WrappedPdfiumModule,
  document: number,
  { form, index, scale }: { form: number; index: number; scale: number },
): PagePixels {
  const page = pdfium.FPDF_LoadPage(document, index);
  pdfium.FORM_OnAfterLoadPage(page, form);
  const width = Math.max(1, Math.round(pdfium.FPDF_GetPageWidthF(page) * scale));
  const height = Math.max(1, Math.round(pdfium.FPDF_GetPageHeightF(page) * scale));
  const bitmap = pdfium.FPDFBitmap_Create(width, height, 0);
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, 0xffffffff);
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, ANNOTATIONS_FOR_PRINT);
  pdfium.FPDF_FFLDraw(form, bitmap, page, 0, 0, width, height, 0, ANNOTATIONS_FOR_PRINT);
  const at = pdfium.FPDFBitmap_GetBuffer(bitmap);
  const pixels = memoryOf(pdfium).slice(at, at + width * height * 4);
  pdfium.FPDFBitmap_Destroy(bitmap);
  pdfium.FORM_OnBeforeClosePage(page, form);
  pdfium.FPDF_ClosePage(page);
  return { width, height, pixels };
}

/** The share of differing pixels, from 0 to 1; 1 when the pages differ in size. */
export function difference(one: PagePixels, other: PagePixels): number {
  if (one.width !== other.width || one.height !== other.height) return 1;
  let differing = 0;
  for (let at = 0; at < one.pixels.length; at += 4) {
    const isSame = [0, 1, 2].every(
      (channel) => Math.abs((one.pixels[at + channel] ?? 0) - (other.pixels[at + channel] ?? 0)) <= SAME,
    );
    if (!isSame) differing++;
  }
  return differing / (one.width * one.height);
}
