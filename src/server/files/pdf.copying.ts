import { writeSync } from "node:fs";
import type { Methods } from "@embedpdf/pdfium";

/** The calls of PDFium that copying takes. */
export type CopyingCalls = Pick<
  Methods,
  | "FPDF_LoadMemDocument"
  | "FPDF_CloseDocument"
  | "FPDF_ImportPagesByIndex"
  | "FPDF_SaveAsCopy"
  | "FPDF_GetFormType"
  | "FPDF_LoadPage"
  | "FPDF_ClosePage"
  | "FPDFPage_Flatten"
>;

/** PDFium's memory and what it can call back. */
export interface PdfiumMemory {
  allocate(bytes: number): number;
  free(at: number): void;
  bytes(at: number, length: number): Uint8Array;
  words(at: number, length: number): Uint32Array;
  addFunction(call: (...values: number[]) => number, signature: string): number;
}

/** Which pages of an open document go where. */
export interface PageCopy {
  /** Pages counted from 0. */
  pages: readonly number[];
  /** A PDF without pages, which takes them in. */
  frame: Uint8Array;
  /** Where the frame with the pages is written. */
  fd: number;
}

export type PageCopier = (document: number, copy: PageCopy) => boolean;

/** FPDF_FILEWRITE: version and writing function. */
const FILE_WRITE_BYTES = 8;
const FILE_WRITE_VERSION = 1;
const WORD_BYTES = 4;
const NO_FORM = 0;
const FLATTEN_FOR_PRINT = 1;

/**
 * Gives what writes pages of a document into another, with all that they need and nothing else. It answers false where
 * PDFium cannot do it.
 */
export function createPageCopier(pdfium: CopyingCalls, memory: PdfiumMemory): PageCopier {
  let fd = -1;
  const writeBlock = memory.addFunction((_self = 0, at = 0, length = 0) => {
    writeFully(fd, memory.bytes(at, length));
    return 1;
  }, "iiii");
  const writerAt = memory.allocate(FILE_WRITE_BYTES);
  memory.words(writerAt, 2).set([FILE_WRITE_VERSION, writeBlock]);

  return (document, { pages, frame, fd: target }) => {
    fd = target;
    flattenForms(pdfium, document, pages);
    const frameAt = memory.allocate(frame.length);
    memory.bytes(frameAt, frame.length).set(frame);
    const pagesAt = memory.allocate(pages.length * WORD_BYTES);
    memory.words(pagesAt, pages.length).set(pages);
    const copy = pdfium.FPDF_LoadMemDocument(frameAt, frame.length, "");
    const isDone =
      copy !== 0 &&
      pdfium.FPDF_ImportPagesByIndex(copy, document, pagesAt, pages.length, 0) &&
      pdfium.FPDF_SaveAsCopy(copy, writerAt, 0);
    if (copy) pdfium.FPDF_CloseDocument(copy);
    memory.free(pagesAt);
    memory.free(frameAt);
    return isDone;
  };
}

/** Makes the fields of a form part of their pages: outside of its form no viewer draws them. */
function flattenForms(pdfium: CopyingCalls, document: number, pages: readonly number[]): void {
  if (pdfium.FPDF_GetFormType(document) === NO_FORM) return;
  for (const index of pages) {
    const page = pdfium.FPDF_LoadPage(document, index);
    if (!page) continue;
    pdfium.FPDFPage_Flatten(page, FLATTEN_FOR_PRINT);
    pdfium.FPDF_ClosePage(page);
  }
}

function writeFully(fd: number, bytes: Uint8Array): void {
  for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
}
