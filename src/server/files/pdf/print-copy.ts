import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import type { Methods } from "@embedpdf/pdfium";
import { createPagePictures, type PictureCalls } from "./page-pictures.ts";
import { scrubPdf } from "./scrub.ts";

/** The calls of PDFium that copying takes. */
export type CopyingCalls = PictureCalls &
  Pick<
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
    | "FPDFPage_SetCropBox"
    | "FPDFPage_SetMediaBox"
    | "FPDF_GetPageBoundingBox"
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
  /** A PDF that the pages are added to; made where there is nothing. Without one it is only tried, and nothing is written. */
  target: string | null;
}

/** Gives how many pages the target has then; null, with the target as it was, where PDFium cannot do it. */
export type PageCopier = (document: number, copy: PageCopy) => number | null;

/** An open PDF, by its handle. */
interface OpenPdf {
  document: number;
  close(): void;
}

/** Adds these pages of a document to another, and gives how many that has then; null where PDFium cannot. */
type Adding = (source: number, pages: readonly number[], target: number) => number | null;

/** An open file and where it is. */
interface Target {
  path: string;
  fd: number;
}

interface Appended {
  count: number;
  hasLayers: boolean;
}

/** Where a copy is written, and how many bytes of it are there. */
interface Place {
  fd: number;
  known: number;
}

/** In the place of a file descriptor. */
const NOWHERE = -1;
/** FPDF_FILEWRITE: version and writing function. */
const FILE_WRITE_BYTES = 8;
const FILE_WRITE_VERSION = 1;
const WORD_BYTES = 4;
/** FS_RECTF: left, top, right and bottom as floats. */
const RECT_BYTES = 16;
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
  const output = { fd: NOWHERE, position: 0, known: 0 };
  const writeBlock = memory.addFunction((_self = 0, at = 0, length = 0) => {
    const isNew = output.position + length > output.known;
    const from = Math.max(0, output.known - output.position);
    if (isNew && output.fd !== NOWHERE)
      writeFully(output.fd, memory.bytes(at + from, length - from), output.position + from);
    output.position += length;
    return 1;
  }, "iiii");
  const writerAt = memory.allocate(FILE_WRITE_BYTES);
  memory.words(writerAt, 2).set([FILE_WRITE_VERSION, writeBlock]);
  const rectAt = memory.allocate(RECT_BYTES);

  /**
   * Makes what a printer would draw of annotations and form fields part of an imported page. Not of the page that it was
   * imported from: PDFium would give that a Letter's size where it inherits its own from the page tree.
   */
  function flatten(page: number): boolean {
    const box = visibleBox(page);
    if (!box) return false;
    // PDFium makes the crop the paper, even where it reaches beyond it.
    pdfium.FPDFPage_SetCropBox(page, ...box);
    const isFlat = pdfium.FPDFPage_Flatten(page, FLATTEN_FOR_PRINT) !== FLATTEN_FAILED;
    // Links and what only screens show are left, with the files that they bring.
    while (pdfium.FPDFPage_GetAnnotCount(page) > 0 && pdfium.FPDFPage_RemoveAnnot(page, 0));
    return isFlat;
  }

  /** The same for a page that is not imported, of which no other copy is made. */
  function flattenOriginal(page: number): boolean {
    const box = visibleBox(page);
    if (!box) return false;
    pdfium.FPDFPage_SetMediaBox(page, ...box);
    return flatten(page);
  }

  /** Left, bottom, right and top of what is seen of a page. */
  function visibleBox(page: number): [number, number, number, number] | null {
    if (!pdfium.FPDF_GetPageBoundingBox(page, rectAt)) return null;
    const { buffer, byteOffset } = memory.bytes(rectAt, RECT_BYTES);
    const [left = 0, top = 0, right = 0, bottom = 0] = new Float32Array(buffer, byteOffset, 4);
    return [left, bottom, right, top];
  }

  function save(document: number, { fd, known }: Place): boolean {
    Object.assign(output, { fd, position: 0, known });
    return pdfium.FPDF_SaveAsCopy(document, writerAt, known > 0 ? INCREMENTAL : 0);
  }

  const pictures = createPagePictures(pdfium, memory);

  /** Adds the pages themselves. */
  const addPages: Adding = (source, pages, target) => {
    const before = pdfium.FPDF_GetPageCount(target);
    const pagesAt = memory.allocate(pages.length * WORD_BYTES);
    memory.words(pagesAt, pages.length).set(pages);
    const isDone = pdfium.FPDF_ImportPagesByIndex(target, source, pagesAt, pages.length, before);
    memory.free(pagesAt);
    return isDone && pdfium.FPDF_GetPageCount(target) === before + pages.length
      ? before + pages.length
      : null;
  };

  /** Adds pictures of the pages instead. */
  const addPictures: Adding = (source, pages, target) => {
    const before = pdfium.FPDF_GetPageCount(target);
    const isDone = pages.every((index, at) =>
      pictures.add({ document: source, index }, { document: target, index: before + at }),
    );
    return isDone ? before + pages.length : null;
  };

  /** Adds pages to a document, and writes what is new in it. */
  function write(
    add: Adding,
    source: number,
    pages: readonly number[],
    { document, ...place }: Place & { document: number },
  ): number | null {
    const count = add(source, pages, document);
    if (count === null) return null;
    const added = pages.map((_, index) => count - pages.length + index);
    return onEachAnnotated(pdfium, document, added, flatten) && save(document, place) ? count : null;
  }

  function append(
    add: Adding,
    source: number,
    pages: readonly number[],
    { path, fd }: Target,
  ): Appended | null {
    const known = fstatSync(fd).size;
    const copy = known > 0 ? openPdf(path) : newPdf(pdfium);
    try {
      const count = write(add, source, pages, { document: copy.document, fd, known });
      return count === null ? null : { count, ...scrubPdf(fd, known, fstatSync(fd).size) };
    } finally {
      copy.close();
    }
  }

  /** Does all that takes time and memory, and throws away what is written. */
  function tryOnly(source: number, pages: readonly number[]): number | null {
    const { document, close } = newPdf(pdfium);
    try {
      return write(addPages, source, pages, { document, fd: NOWHERE, known: 0 });
    } finally {
      close();
    }
  }

  /** The pages that look otherwise as the last ones of the target. Those of the source are flattened, as the others are. */
  function changedPages(source: number, pages: readonly number[], { path }: Target): number[] {
    onEachAnnotated(pdfium, source, pages, flattenOriginal);
    const copy = openPdf(path);
    const first = pdfium.FPDF_GetPageCount(copy.document) - pages.length;
    const changed = pages.filter(
      (index, at) =>
        !pictures.areAlike({ document: source, index }, { document: copy.document, index: first + at }),
    );
    copy.close();
    return changed;
  }

  /**
   * Which layers a document has switched off stands where PDFium copies nothing from, so in a copy all of them show. Pages
   * where that can be seen become pictures, one at a time for the memory that they take.
   */
  function copy(source: number, pages: readonly number[], target: Target): number | null {
    const known = fstatSync(target.fd).size;
    const appended = append(addPages, source, pages, target);
    if (!appended?.hasLayers) return appended?.count ?? null;
    const changed = changedPages(source, pages, target);
    if (changed.length === 0) return appended.count;
    ftruncateSync(target.fd, known);
    let count: number | null = null;
    for (const page of pages) {
      const add = changed.includes(page) ? addPictures : addPages;
      count = append(add, source, [page], target)?.count ?? null;
      if (count === null) return null;
    }
    return count;
  }

  return (source, { pages, target: path }) => {
    if (!onEachAnnotated(pdfium, source, pages, (page) => makeAppearances(pdfium, page))) return null;
    if (path === null) return tryOnly(source, pages);
    const fd = openSync(path, constants.O_RDWR | constants.O_CREAT);
    const known = fstatSync(fd).size;
    let count: number | null = null;
    try {
      count = copy(source, pages, { path, fd });
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

/** Whether `work` could be done on every one of these pages that has annotations. */
function onEachAnnotated(
  pdfium: CopyingCalls,
  document: number,
  pages: readonly number[],
  work: (page: number) => boolean,
): boolean {
  return pages.every((index) => {
    const page = pdfium.FPDF_LoadPage(document, index);
    if (!page) return false;
    const isDone = pdfium.FPDFPage_GetAnnotCount(page) === 0 || work(page);
    pdfium.FPDF_ClosePage(page);
    return isDone;
  });
}

/**
 * Annotations that do not bring a picture of themselves get one when they are first drawn, on however small a picture. Done
 * where they come from: those of fields take the fonts of their document's form, which is not imported.
 */
function makeAppearances(pdfium: CopyingCalls, page: number): boolean {
  const bitmap = pdfium.FPDFBitmap_Create(1, 1, 0);
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, 1, 1, 0, ANNOTATIONS_FOR_PRINT);
  pdfium.FPDFBitmap_Destroy(bitmap);
  return true;
}

function writeFully(fd: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length; )
    done += writeSync(fd, bytes, done, bytes.length - done, position + done);
}

const MB = 1024 * 1024;
/** About so much of a file is in the worker's memory at once; its pages there take twice as much. */
const PORTION_BYTES = 24 * MB;
const PORTION_PAGES = 1000;

/** Pages in the order given, so many at a time as fit into memory, of a file of `total` pages. */
export function portionsOf(pages: number[], { total, bytes }: { total: number; bytes: number }): number[][] {
  const size = Math.min(PORTION_PAGES, Math.max(1, Math.floor((PORTION_BYTES * total) / bytes)));
  return Array.from({ length: Math.ceil(pages.length / size) }, (_, index) =>
    pages.slice(index * size, (index + 1) * size),
  );
}
