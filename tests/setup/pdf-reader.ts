import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { init, type WrappedPdfiumModule } from "@embedpdf/pdfium";

let started: Promise<WrappedPdfiumModule> | undefined;

/** The text of each page, as copied from a viewer. */
export async function readPages(pdf: Uint8Array): Promise<string[]> {
  return withPdf(pdf, (pdfium, document) =>
    Array.from({ length: pdfium.FPDF_GetPageCount(document) }, (_, index) => textOf(pdfium, document, index)),
  );
}

/** Opens a PDF while `use` runs. */
export async function withPdf<T>(
  pdf: Uint8Array,
  use: (pdfium: WrappedPdfiumModule, document: number) => T,
): Promise<T> {
  started ??= start();
  const pdfium = await started;
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const at = malloc(pdf.length);
  memoryOf(pdfium).set(pdf, at);
  const document = pdfium.FPDF_LoadMemDocument(at, pdf.length, "");
  if (!document) throw new Error(`PDFium does not open it: error ${pdfium.FPDF_GetLastError()}`);
  try {
    return use(pdfium, document);
  } finally {
    pdfium.FPDF_CloseDocument(document);
    free(at);
  }
}

function textOf(pdfium: WrappedPdfiumModule, document: number, index: number): string {
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const page = pdfium.FPDF_LoadPage(document, index);
  const text = pdfium.FPDFText_LoadPage(page);
  const characters = pdfium.FPDFText_CountChars(text);
  const at = malloc((characters + 1) * 2);
  // For a page without text PDFium writes nothing, not even a terminator.
  memoryOf(pdfium).fill(0, at, at + 2);
  pdfium.FPDFText_GetText(text, 0, characters, at);
  const copied = pdfium.pdfium.UTF16ToString(at);
  free(at);
  pdfium.FPDFText_ClosePage(text);
  pdfium.FPDF_ClosePage(page);
  return copied.replaceAll("\r\n", "\n");
}

/** PDFium's type definitions lack its memory. */
export function memoryOf({ pdfium }: WrappedPdfiumModule): Uint8Array {
  return (pdfium as unknown as { HEAPU8: Uint8Array }).HEAPU8;
}

async function start(): Promise<WrappedPdfiumModule> {
  const wasmBinary = readFileSync(fileURLToPath(import.meta.resolve("@embedpdf/pdfium/pdfium.wasm")));
  const pdfium = await init({ wasmBinary: new Uint8Array(wasmBinary).buffer });
  pdfium.PDFiumExt_Init();
  return pdfium;
}
