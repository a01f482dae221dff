import { readFileSync } from "node:fs";
import { memoryOf, startPdfium } from "../../setup/pdf-reader.ts";

/** FS_SIZEF: two floats. */
const SIZE_BYTES = 8;
/** FPDF_FILEWRITE: version and writing function. */
const FILE_WRITE_BYTES = 8;
const FILE_WRITE_VERSION = 1;
const WORD_BYTES = 4;

/**
 * The limit of inspecting PDFs: PDFium by itself, which opens each file, counts and loads its pages, and copies them into a
 * new document whose bytes are thrown away.
 */
export async function startBareEngine(): Promise<(path: string) => number> {
  const pdfium = await startPdfium();
  const { malloc, free } = pdfium.pdfium.wasmExports;
  const sizeAt = malloc(SIZE_BYTES);
  const writerAt = malloc(FILE_WRITE_BYTES);
  const writeBlock = pdfium.pdfium.addFunction(() => 1, "iiii");
  pdfium.pdfium.setValue(writerAt, FILE_WRITE_VERSION, "i32");
  pdfium.pdfium.setValue(writerAt + WORD_BYTES, writeBlock, "i32");

  function copy(document: number, pages: number): void {
    const target = pdfium.FPDF_CreateNewDocument();
    const isCopied = pdfium.FPDF_ImportPages(target, document, "", 0);
    if (
      !isCopied ||
      pdfium.FPDF_GetPageCount(target) !== pages ||
      !pdfium.FPDF_SaveAsCopy(target, writerAt, 0)
    )
      throw new Error("PDFium could not copy a file of the bench");
    pdfium.FPDF_CloseDocument(target);
  }

  return (path) => {
    const bytes = readFileSync(path);
    const at = malloc(bytes.length);
    memoryOf(pdfium).set(bytes, at);
    const document = pdfium.FPDF_LoadMemDocument(at, bytes.length, "");
    const pages = document ? pdfium.FPDF_GetPageCount(document) : 0;
    for (let index = 0; index < pages; index++) {
      pdfium.FPDF_GetPageSizeByIndexF(document, index, sizeAt);
      pdfium.FPDF_ClosePage(pdfium.FPDF_LoadPage(document, index));
    }
    if (document) copy(document, pages);
    if (document) pdfium.FPDF_CloseDocument(document);
    free(at);
    return pages;
  };
}
