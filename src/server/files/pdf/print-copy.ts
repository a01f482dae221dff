import { closeSync, constants, fstatSync, ftruncateSync, openSync, writeSync } from "node:fs";
import type { Methods } from "@embedpdf/pdfium";
import { NO_PAGE, type Size } from "#shared/sheet-layout.ts";
import { createPageLayouts, type PlacedLayout } from "./page-layout.ts";
import {
  ANNOTATIONS_FOR_PRINT,
  createPagePictures,
  type PageOf,
  type PagePicture,
  type PdfiumMemory,
} from "./page-pictures.ts";
import { hiddenLayerText, layerText, scrubPdf, type WrittenText } from "./scrub.ts";

/** Which pages of a PDF are added to which print copy. */
export interface PageCopy {
  /** Pages counted from 0; of a layout also NO_PAGE. */
  pages: readonly number[];
  /** A PDF that the pages are added to; made where there is nothing. */
  target: string;
  /** Begins on a fresh sheet of two sides: a blank page goes before the pages where the target has an odd number. */
  onFreshSheet?: boolean | undefined;
  /**
   * Places several pages on each side, or fits each page to the sheet, of a PDF that is a print copy itself: without
   * annotations, and with every layer shown. The number of pages must fill the sides, unless they are the last of the PDF.
   */
  layout?: PlacedLayout | undefined;
}

interface PageCopier {
  /**
   * Adds pages to the target and returns how many it has then. Where pages with layers take long, only the first are added.
   * Null where PDFium fails; the target is unchanged then.
   */
  copy(document: number, copy: PageCopy): number | null;
  /** Copies pages without writing them anywhere. Returns whether they have layers; null where PDFium fails. */
  attempt(document: number, pages: readonly number[]): { hasLayers: boolean } | null;
  /** Draws a page small, with its form fields, which PDFium leaves out; null when there is nothing to draw. */
  draw(page: PageOf, dotsPerInch: number): PagePicture | null;
  /** Whether a layer of the document may be hidden in print, so that copies of pages must be pictures. */
  hasHiddenLayers(document: number): boolean;
  /** As `PageLayouts.sizeOf`. */
  sizeOf(document: number, index: number): Size | null;
}

/** An open PDF, by its handle. */
interface OpenPdf {
  document: number;
  close(): void;
}

/** An open document, and those of its pages that have annotations: of all others there is nothing to flatten. */
interface Source {
  document: number;
  annotated: ReadonlySet<number>;
}

/** Adds pages of a document to another. Returns how many pages that has then; null where PDFium fails. */
type Adding = (document: number, pages: readonly number[], target: number) => number | null;

/** An open file and where it is. */
interface Target {
  path: string;
  fd: number;
}

interface Appended {
  count: number;
  hasLayers: boolean;
}

/** A page, and whether its copy looks as it does. */
interface Compared {
  index: number;
  isAlike: boolean;
}

/** Receives a copy while it is written. */
interface Output {
  /** The file, of which `known` bytes are written already; NOWHERE if the copy is only searched for `text`. */
  fd: number;
  known: number;
  text?: WrittenText;
}

/** Stands for no file. */
const NOWHERE = -1;
/** FPDF_FILEWRITE: version and writing function. */
const FILE_WRITE_BYTES = 8;
const FILE_WRITE_VERSION = 1;
const WORD_BYTES = 4;
/** PDFium writes the bytes that the document was opened with, and then what is new. */
const INCREMENTAL = 1;
const FLATTEN_FOR_PRINT = 1;
const FLATTEN_FAILED = 0;
/** With these limits the worker answers long before its own time limit, also on a slow machine. */
const COMPARING_MS = 5000;
const LAYERS_MS = 10_000;
const PICTURES_AT_ONCE = 12;

/**
 * Creates the copier: it adds pages of an open document to a print copy as a printer would draw them, with forms and stamps
 * and without anything active. Only the added pages are in memory, so a copy may be larger than that.
 */
export function createPageCopier(
  pdfium: Methods,
  memory: PdfiumMemory,
  openPdf: (path: string) => OpenPdf,
): PageCopier {
  const output: Output & { position: number } = { fd: NOWHERE, position: 0, known: 0 };
  const writeBlock = memory.addFunction((_self = 0, at = 0, length = 0) => {
    const isNew = output.position + length > output.known;
    const from = Math.max(0, output.known - output.position);
    output.text?.see(memory.bytes(at, length));
    if (isNew && output.fd !== NOWHERE)
      writeFully(output.fd, memory.bytes(at + from, length - from), output.position + from);
    output.position += length;
    return 1;
  }, "iiii");
  const writerAt = memory.allocate(FILE_WRITE_BYTES);
  memory.words(writerAt, 2).set([FILE_WRITE_VERSION, writeBlock]);

  /**
   * Makes printed annotations and form fields part of an imported page. The original page is not flattened: PDFium would set
   * its size to Letter where it inherits its own from the page tree.
   */
  function flatten(page: number): boolean {
    const box = layouts.visibleBox(page);
    if (!box) return false;
    // Without it PDFium takes the crop box as the paper, even where that is larger.
    pdfium.FPDFPage_SetCropBox(page, ...box);
    const isFlat = pdfium.FPDFPage_Flatten(page, FLATTEN_FOR_PRINT) !== FLATTEN_FAILED;
    // Links and annotations for the screen are left, with the files attached to them.
    while (pdfium.FPDFPage_GetAnnotCount(page) > 0 && pdfium.FPDFPage_RemoveAnnot(page, 0));
    return isFlat;
  }

  /** Flattens an original page, for comparison only. */
  function flattenOriginal(page: number): boolean {
    const box = layouts.visibleBox(page);
    if (!box) return false;
    pdfium.FPDFPage_SetMediaBox(page, ...box);
    return flatten(page);
  }

  function save(document: number, { fd, known, text }: Output): boolean {
    Object.assign(output, { fd, position: 0, known, text });
    return pdfium.FPDF_SaveAsCopy(document, writerAt, known > 0 ? INCREMENTAL : 0);
  }

  const pictures = createPagePictures(pdfium, memory);
  const layouts = createPageLayouts(pdfium, memory);

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

  /**
   * Adds pictures of the pages instead. Each is drawn in a new document, because PDFium would load everything in the document
   * that it draws in and write it again.
   */
  const addPictures: Adding = (source, pages, target) => {
    let count = pdfium.FPDF_GetPageCount(target);
    for (const index of pages) {
      const picture = newPdf(pdfium);
      const isDrawn = pictures.add({ document: source, index }, { document: picture.document, index: 0 });
      const added = isDrawn ? addPages(picture.document, [0], target) : null;
      picture.close();
      if (added === null) return null;
      count = added;
    }
    return count;
  };

  /**
   * Adds sides with pages on them. Where several share a side, the shape of all pages decides, so that every side of a file lies
   * the same way, as `flipText` says.
   */
  function laidOut(layout: PlacedLayout): Adding {
    return (source, pages, target) => {
      if (layouts.areFitting(source, pages, layout)) return addPages(source, pages, target);
      const portion = newPdf(pdfium);
      // The sheets of a booklet are folded across.
      const isWide = !layout.isBooklet && layouts.hasWidePages(source);
      const isTaken = addPages(source, pages.filter(isPage), portion.document) !== null;
      const sides = isTaken ? layouts.layOut(portion.document, pages.map(isPage), layout, isWide) : null;
      // PDFium holds each portion once more in the sides, and again in the target.
      portion.close();
      const count = sides === null ? 0 : pdfium.FPDF_GetPageCount(sides);
      const all = Array.from({ length: count }, (_, index) => index);
      const added = sides === null ? null : addPages(sides, all, target);
      if (sides !== null) pdfium.FPDF_CloseDocument(sides);
      return added;
    };
  }

  /** Adds pages to a document and writes what is new. */
  function write(
    add: Adding,
    source: Source,
    pages: readonly number[],
    { document, ...output }: Output & { document: number },
  ): number | null {
    const count = add(source.document, pages, document);
    if (count === null) return null;
    const added = pages.flatMap((page, at) => (source.annotated.has(page) ? count - pages.length + at : []));
    return onEachAnnotated(pdfium, document, added, flatten) && save(document, output) ? count : null;
  }

  function append(
    add: Adding,
    source: Source,
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

  /** Adds a blank page of the size of the last one where the target has an odd number of pages. False where PDFium fails. */
  function fillSheet({ path, fd }: Target): boolean {
    const known = fstatSync(fd).size;
    if (known === 0) return true;
    const { document, close } = openPdf(path);
    try {
      const count = pdfium.FPDF_GetPageCount(document);
      return count % 2 === 0 || (addBlank(document, count) && save(document, { fd, known }));
    } finally {
      close();
    }
  }

  function addBlank(document: number, count: number): boolean {
    const last = pdfium.FPDF_LoadPage(document, count - 1);
    if (!last) return false;
    const size = [pdfium.FPDF_GetPageWidthF(last), pdfium.FPDF_GetPageHeightF(last)] as const;
    pdfium.FPDF_ClosePage(last);
    const blank = pdfium.FPDFPage_New(document, count, ...size);
    pdfium.FPDF_ClosePage(blank);
    return blank !== 0;
  }

  /** Compares pages with their copies at the end of the target, as many as time allows and one at least. */
  function comparePages(source: number, pages: readonly number[], { path }: Target): Compared[] {
    const copy = openPdf(path);
    const first = pdfium.FPDF_GetPageCount(copy.document) - pages.length;
    const compared: Compared[] = [];
    const end = performance.now() + COMPARING_MS;
    let changed = 0;
    do {
      const at = compared.length;
      const index = pages[at] ?? 0;
      onEachAnnotated(pdfium, source, [index], flattenOriginal);
      const isAlike = pictures.areAlike(
        { document: source, index },
        { document: copy.document, index: first + at },
      );
      compared.push({ index, isAlike });
      if (!isAlike) changed += 1;
    } while (compared.length < pages.length && changed < PICTURES_AT_ONCE && performance.now() < end);
    copy.close();
    return compared;
  }

  /**
   * PDFium does not copy which layers are switched off, so all of them show in a copy. Pages that look different for it are
   * replaced by pictures, one at a time for the memory that they take.
   */
  function copy(source: Source, pages: readonly number[], target: Target): number | null {
    const known = fstatSync(target.fd).size;
    const end = performance.now() + LAYERS_MS;
    const appended = append(addPages, source, pages, target);
    if (!appended?.hasLayers) return appended?.count ?? null;
    const compared = comparePages(source.document, pages, target);
    if (compared.length === pages.length && compared.every(({ isAlike }) => isAlike)) return appended.count;
    ftruncateSync(target.fd, known);
    let count: number | null = null;
    for (const { isAlike, pages: run } of runsOf(compared)) {
      count = append(isAlike ? addPages : addPictures, source, run, target)?.count ?? null;
      if (count === null || performance.now() > end) break;
    }
    return count;
  }

  /** Makes the appearances that annotations of these pages lack. Null where a page cannot be loaded. */
  function prepare(document: number, pages: readonly number[]): Source | null {
    const annotated = new Set<number>();
    const isDone = onEachAnnotated(pdfium, document, pages, (page, index) => {
      annotated.add(index);
      return makeAppearances(pdfium, page);
    });
    return isDone ? { document, annotated } : null;
  }

  return {
    copy(document, { pages, target: path, onFreshSheet = false, layout }) {
      const source = prepare(document, pages.filter(isPage));
      if (!source) return null;
      const fd = openSync(path, constants.O_RDWR | constants.O_CREAT);
      const known = fstatSync(fd).size;
      let count: number | null = null;
      try {
        if (!onFreshSheet || fillSheet({ path, fd })) {
          count = layout
            ? (append(laidOut(layout), source, pages, { path, fd })?.count ?? null)
            : copy(source, pages, { path, fd });
        }
      } finally {
        if (count === null) ftruncateSync(fd, known);
        closeSync(fd);
      }
      return count;
    },
    attempt(document, pages) {
      const source = prepare(document, pages);
      if (!source) return null;
      const target = newPdf(pdfium);
      try {
        const text = layerText();
        const place = { document: target.document, fd: NOWHERE, known: 0, text };
        const count = write(addPages, source, pages, place);
        return count === pages.length ? { hasLayers: text.isFound() } : null;
      } finally {
        target.close();
      }
    },
    draw({ document, index }, dotsPerInch) {
      const flattenWhole = (page: number) => makeAppearances(pdfium, page) && flattenOriginal(page);
      onEachAnnotated(pdfium, document, [index], flattenWhole);
      return pictures.draw({ document, index }, dotsPerInch);
    },
    hasHiddenLayers(document) {
      const text = hiddenLayerText();
      save(document, { fd: NOWHERE, known: 0, text });
      return text.isFound();
    },
    sizeOf: layouts.sizeOf,
  };
}

function isPage(index: number): boolean {
  return index !== NO_PAGE;
}

function newPdf(pdfium: Methods): OpenPdf {
  const document = pdfium.FPDF_CreateNewDocument();
  return { document, close: () => pdfium.FPDF_CloseDocument(document) };
}

/** Neighbours that look alike in one run, since they share fonts and pictures; each other page in a run of its own. */
function runsOf(compared: Compared[]): { isAlike: boolean; pages: number[] }[] {
  const runs: { isAlike: boolean; pages: number[] }[] = [];
  for (const { index, isAlike } of compared) {
    const run = runs.at(-1);
    if (run?.isAlike && isAlike) run.pages.push(index);
    else runs.push({ isAlike, pages: [index] });
  }
  return runs;
}

/** Runs `work` on each of these pages. False where a page cannot be loaded or `work` fails. */
function onEach(
  pdfium: Methods,
  document: number,
  pages: readonly number[],
  work: (page: number, index: number) => boolean,
): boolean {
  return pages.every((index) => {
    const page = pdfium.FPDF_LoadPage(document, index);
    if (!page) return false;
    const isDone = work(page, index);
    pdfium.FPDF_ClosePage(page);
    return isDone;
  });
}

/** The same on each of these pages that has annotations. */
function onEachAnnotated(
  pdfium: Methods,
  document: number,
  pages: readonly number[],
  work: (page: number, index: number) => boolean,
): boolean {
  return onEach(
    pdfium,
    document,
    pages,
    (page, index) => pdfium.FPDFPage_GetAnnotCount(page) === 0 || work(page, index),
  );
}

/**
 * PDFium makes missing appearances of annotations when a page is drawn, at whatever size. It must be done on the original:
 * fields take their fonts from the form of the document, which is not imported.
 */
function makeAppearances(pdfium: Methods, page: number): boolean {
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
/** The part of a file that is in the worker's memory at once, which takes about twice as much there. */
const PORTION_BYTES = 24 * MB;
const PORTION_PAGES = 1000;
/** PDFium's time for pages that are placed on sides grows with their square: 9 s for 1,000 pages, 1 s for 240. */
const LAID_OUT_PAGES = 240;

/**
 * Splits pages of a file of `total` pages into portions that fit into memory.
 * @param unit where they are placed on sides, how many share one: each portion but the last is a multiple of it
 */
export function splitIntoPortions(
  pages: number[],
  { total, bytes, unit }: { total: number; bytes: number; unit?: number | undefined },
): number[][] {
  const mostPages = unit === undefined ? PORTION_PAGES : LAID_OUT_PAGES;
  const most = Math.min(mostPages, Math.floor((PORTION_BYTES * total) / bytes));
  const perSide = unit ?? 1;
  const size = Math.max(1, Math.floor(most / perSide)) * perSide;
  return Array.from({ length: Math.ceil(pages.length / size) }, (_, index) =>
    pages.slice(index * size, (index + 1) * size),
  );
}
