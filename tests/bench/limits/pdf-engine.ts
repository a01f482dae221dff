import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { init, type WrappedPdfiumModule } from "@embedpdf/pdfium";

const SIZE_BYTES = 8;

/** The limit of page counting: PDFium alone opens each file, counts its pages and checks that they exist. */
export async function startBareEngine(): Promise<(path: string) => number> {
  const wasm = fileURLToPath(import.meta.resolve("@embedpdf/pdfium/pdfium.wasm"));
  const pdfium = await init({ wasmBinary: new Uint8Array(readFileSync(wasm)).buffer });
  pdfium.PDFiumExt_Init();
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const sizeAt = malloc(SIZE_BYTES);
  return (path) => {
    const bytes = readFileSync(path);
    const at = malloc(bytes.length);
    memoryOf(pdfium).set(bytes, at);
    const document = pdfium.FPDF_LoadMemDocument(at, bytes.length, "");
    const pages = document ? pdfium.FPDF_GetPageCount(document) : 0;
    for (let index = 0; index < pages; index++) pdfium.FPDF_GetPageSizeByIndexF(document, index, sizeAt);
    if (document) pdfium.FPDF_CloseDocument(document);
    free(at);
    return pages;
  };
}

/** Read each time, because it is replaced when it grows; PDFium's types lack it. */
function memoryOf({ pdfium }: WrappedPdfiumModule): Uint8Array {
  return (pdfium as unknown as { HEAPU8: Uint8Array }).HEAPU8;
}
