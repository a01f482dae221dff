import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import type { Methods } from "@embedpdf/pdfium";
import { scrubPdf } from "./scrub.ts";

/** The calls of PDFium that copying takes. */
export type CopyingCalls = Pick<
  Methods,
  | "FPDF_CreateNewDocument"
  | "FPDF_CloseDocument"
  | "FPDF_GetPageCount"
  | "FPDF_ImportPagesByIndex"
  | "FPDF_SaveAsCopy"
  | "FPDF_LoadPage"
  | "FPDF_ClosePage"
  | "FPDF_RenderPageBitmap"
  | "FPDFBitmap_Create"
  | "FPDFBitmap_Destroy"
  | "FPDFPage_GetAnnotCount"
  | "FPDFPage_Flatten"
  | "FPDFPage_RemoveAnnot"
>;

/** PDFium's memory and what it can call back. */
export interface PdfiumMemory {
  allocate(bytes: number): number;
  free(at: number): void;
  bytes(at: number, length: number): Uint8Array;
  words(at: number, length: number): Uint32Array;
  addFunction(call: (...values: number[]) => number, signature: string): number;
}

/** Which pages of a PDF are added to which print copy. */
export interface PageCopy {
  /** Pages counted from 0. */
  pages: readonly number[];
  /** A PDF that the pages are added to; made where there is nothing. */
  target: string;
}

/** Gives how many pages the target has then; null, with the target as it was, where PDFium cannot do it. */
export type PageCopier = (document: number, copy: PageCopy) => number | null;

/** An open PDF, by its handle. */
interface OpenPdf {
  document: number;
  close(): void;
}

/** FPDF_FILEWRITE: version and writing function. */
const FILE_WRITE_BYTES = 8;
const FILE_WRITE_VERSION = 1;
const WORD_BYTES = 4;
/** Writes what the document was opened with, byte by byte, and then what is new. */
const INCREMENTAL = 1;
const FLATTEN_FOR_PRINT = 1;
const FLATTEN_FAILED = 0;
const ANNOTATIONS_FOR_PRINT = 0x01 | 0x800;

/**
 * Gives what adds pages of an open document to a print copy: drawn as a printer would, forms and stamps included, and with
 * nothing that does anything. Only the added pages are in memory, so a copy may grow far beyond it.
 */
export function createPageCopier(
  pdfium: CopyingCalls,
  memory: PdfiumMemory,
  openPdf: (path: string) => OpenPdf,
): PageCopier {
  const output = { fd: -1, position: 0, known: 0 };
  const writeBlock = memory.addFunction((_self = 0, at = 0, length = 0) => {
    const isNew = output.position + length > output.known;
    const from = Math.max(0, output.known - output.position);
    if (isNew) writeFully(output.fd, memory.bytes(at + from, length - from), output.position + from);
    output.position += length;
    return 1;
  }, "iiii");
  const writerAt = memory.allocate(FILE_WRITE_BYTES);
  memory.words(writerAt, 2).set([FILE_WRITE_VERSION, writeBlock]);

  function save(document: number, fd: number, known: number): boolean {
    Object.assign(output, { fd, position: 0, known });
    return pdfium.FPDF_SaveAsCopy(document, writerAt, known > 0 ? INCREMENTAL : 0);
  }

  function add(source: number, pages: readonly number[], target: number): number | null {
    const before = pdfium.FPDF_GetPageCount(target);
    const pagesAt = memory.allocate(pages.length * WORD_BYTES);
    memory.words(pagesAt, pages.length).set(pages);
    const isDone = pdfium.FPDF_ImportPagesByIndex(target, source, pagesAt, pages.length, before);
    memory.free(pagesAt);
    return isDone && pdfium.FPDF_GetPageCount(target) === before + pages.length
      ? before + pages.length
      : null;
  }

  function append(source: number, pages: readonly number[], target: string, fd: number): number | null {
    const known = fstatSync(fd).size;
    const copy = known > 0 ? openPdf(target) : newPdf(pdfium);
    try {
      const count = add(source, pages, copy.document);
      if (count === null || !save(copy.document, fd, known)) return null;
      scrubPdf(fd, known, fstatSync(fd).size);
      return count;
    } finally {
      copy.close();
    }
  }

  return (source, { pages, target }) => {
    if (!flatten(pdfium, source, pages)) return null;
    const fd = openSync(target, constants.O_RDWR | constants.O_CREAT);
    const known = fstatSync(fd).size;
    let count: number | null = null;
    try {
      count = append(source, pages, target, fd);
    } finally {
      if (count === null) ftruncateSync(fd, known);
      closeSync(fd);
    }
    return count;
  };
}

function newPdf(pdfium: CopyingCalls): OpenPdf {
  const document = pdfium.FPDF_CreateNewDocument();
  return { document, close: () => pdfium.FPDF_CloseDocument(document) };
}

/** Makes what a printer would draw of annotations and form fields part of their pages. */
function flatten(pdfium: CopyingCalls, document: number, pages: readonly number[]): boolean {
  return pages.every((index) => {
    const page = pdfium.FPDF_LoadPage(document, index);
    if (!page) return false;
    const isFlat = pdfium.FPDFPage_GetAnnotCount(page) === 0 || flattenPage(pdfium, page);
    pdfium.FPDF_ClosePage(page);
    return isFlat;
  });
}

function flattenPage(pdfium: CopyingCalls, page: number): boolean {
  makeAppearances(pdfium, page);
  const isFlat = pdfium.FPDFPage_Flatten(page, FLATTEN_FOR_PRINT) !== FLATTEN_FAILED;
  // Links and what only screens show are left, with the files that they bring.
  while (pdfium.FPDFPage_GetAnnotCount(page) > 0 && pdfium.FPDFPage_RemoveAnnot(page, 0));
  return isFlat;
}

/** Annotations that do not bring a picture of themselves get one when they are first drawn, on however small a picture. */
function makeAppearances(pdfium: CopyingCalls, page: number): void {
  const bitmap = pdfium.FPDFBitmap_Create(1, 1, 0);
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, 1, 1, 0, ANNOTATIONS_FOR_PRINT);
  pdfium.FPDFBitmap_Destroy(bitmap);
}

function writeFully(fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(fd, bytes, done, bytes.length - done, position + done);
}
