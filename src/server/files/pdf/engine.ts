import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { init } from "@embedpdf/pdfium";
import type { Size } from "#shared/sheet-layout.ts";
import type { PdfRefusal } from "./inspector.ts";
import type { PagePicture } from "./page-pictures.ts";
import { createPageCopier, type PageCopy } from "./print-copy.ts";

/** FPDF_FILEACCESS: length, reading function, and the parameter that it is called with. */
const FILE_ACCESS_BYTES = 12;
const REFUSALS: Record<number, PdfRefusal> = { 4: "locked", 5: "unsupported-security" };

/** PDFium would not open the document. */
export class PdfRefused extends Error {
  readonly reason: PdfRefusal;

  constructor(reason: PdfRefusal) {
    super(`PDF refused: ${reason}`);
    this.name = "PdfRefused";
    this.reason = reason;
  }
}

export interface PdfDocument {
  /** As the document declares it. Check every page with `pageSize` before you trust it. */
  pageCount: number;
  /** How large the page, counted from 0, is as it is seen; null where there is none, or nothing of it is in sight. */
  pageSize(index: number): Size | null;
  /** The page, counted from 0, in this many dots to the inch; null when there is nothing to draw. */
  draw(index: number, dotsPerInch: number): PagePicture | null;
  /** Adds the pages, or the first of them, to a print copy. Returns how many pages that has then; null where PDFium fails. */
  copyPages(copy: PageCopy): number | null;
  /** Copies the pages without writing them anywhere. Returns whether they have layers; null where PDFium fails. */
  tryCopying(pages: readonly number[]): { hasLayers: boolean } | null;
  /** Whether a layer may be hidden in print, so that copies of pages must be pictures. */
  hasHiddenLayers(): boolean;
  /** Frees the memory that PDFium holds for pages. Throws PdfRefused. */
  reopen(): void;
  close(): void;
}

interface PdfEngine {
  /** Opens the file at `path`, of which only the ranges that are needed are read. Throws PdfRefused. */
  open(path: string, password?: string): PdfDocument;
  /** Bytes of WebAssembly memory held. It grows and never shrinks. */
  heapBytes(): number;
  /** Whether PDFium asked for memory beyond the cap. No result since then can be trusted. */
  isOutOfMemory(): boolean;
}

/**
 * Starts PDFium with at most `maxHeapBytes` of memory. Once any call throws anything but PdfRefused the
 * engine is broken for good and must be thrown away.
 */
export async function createPdfEngine(module: WebAssembly.Module, maxHeapBytes: number): Promise<PdfEngine> {
  const heap = createCappedHeap(module, maxHeapBytes);
  const quiet = () => {};
  const overrides = { instantiateWasm: heap.instantiate, print: quiet, printErr: quiet };
  const { pdfium: runtime, ...pdfium } = await init(overrides);
  pdfium.PDFiumExt_Init();
  const allocate = (bytes: number): number => runtime.wasmExports.malloc(bytes);
  const free = (at: number): void => runtime.wasmExports.free(at);
  const { bytes, words, floats } = heap;
  const memory = { allocate, free, bytes, words, floats, addFunction: runtime.addFunction };
  const copier = createPageCopier(pdfium, memory, openPdf);
  const files = new Map<number, RangedFile>();
  const readBlock: number = runtime.addFunction(
    (fd: number, position: number, target: number, bytes: number) =>
      files.get(fd)?.read(heap.bytes(target, bytes), position >>> 0) ? 1 : 0,
    "iiiii",
  );

  function openPdf(path: string, password = "") {
    const file = openRangedFile(path);
    files.set(file.fd, file);
    const accessAt = allocate(FILE_ACCESS_BYTES);
    const release = () => {
      free(accessAt);
      files.delete(file.fd);
      file.close();
    };
    heap.words(accessAt, 3).set([file.bytes, readBlock, file.fd]);
    const document = pdfium.FPDF_LoadCustomDocument(accessAt, password);
    if (!document) {
      release();
      throw new PdfRefused(REFUSALS[pdfium.FPDF_GetLastError()] ?? "damaged");
    }
    return {
      document,
      close() {
        pdfium.FPDF_CloseDocument(document);
        release();
      },
    };
  }

  return {
    heapBytes: () => heap.size(),
    isOutOfMemory: () => heap.isOutOfMemory(),
    open(path, password) {
      let { document, close } = openPdf(path, password);
      return {
        pageCount: pdfium.FPDF_GetPageCount(document),
        pageSize: (index) => copier.sizeOf(document, index),
        draw: (index, dotsPerInch) => copier.draw({ document, index }, dotsPerInch),
        copyPages: (copy) => copier.copy(document, copy),
        tryCopying: (pages) => copier.attempt(document, pages),
        hasHiddenLayers: () => copier.hasHiddenLayers(document),
        reopen() {
          close();
          ({ document, close } = openPdf(path, password));
        },
        close: () => close(),
      };
    },
  };
}

/** The memory of one instance, which is refused growth beyond the cap. */
function createCappedHeap(module: WebAssembly.Module, maxBytes: number) {
  let memory: WebAssembly.Memory;
  let isOutOfMemory = false;
  return {
    size: () => memory.buffer.byteLength,
    isOutOfMemory: () => isOutOfMemory,
    bytes: (at: number, length: number) => new Uint8Array(memory.buffer, at >>> 0, length >>> 0),
    words: (at: number, length: number) => new Uint32Array(memory.buffer, at >>> 0, length),
    floats: (at: number, length: number) => new Float32Array(memory.buffer, at >>> 0, length),
    instantiate(imports: WebAssembly.Imports, receive: (instance: WebAssembly.Instance) => void) {
      const grow = imports.env?.emscripten_resize_heap as (bytes: number) => number;
      const capped = (bytes: number) => {
        isOutOfMemory ||= bytes >>> 0 > maxBytes;
        return isOutOfMemory ? 0 : grow(bytes);
      };
      const instance = new WebAssembly.Instance(module, {
        ...imports,
        env: { ...imports.env, emscripten_resize_heap: capped },
      });
      memory = instance.exports.memory as WebAssembly.Memory;
      receive(instance);
      return instance.exports;
    },
  };
}

/** PDFium mostly reads 512 bytes or less at a time, one block after another; so much is read from the disk for it. */
const AHEAD_BYTES = 4096;

/** An open file of which ranges are read. */
interface RangedFile {
  /** The file descriptor. */
  fd: number;
  bytes: number;
  /** Fills `target` from `position` on; false where the file has less. */
  read(target: Uint8Array, position: number): boolean;
  close(): void;
}

/** Opens the file at `path`, which must not change any more. */
export function openRangedFile(path: string): RangedFile {
  const fd = openSync(path, "r");
  const ahead = Buffer.allocUnsafe(AHEAD_BYTES);
  let from = 0;
  let to = 0;
  return {
    fd,
    bytes: fstatSync(fd).size,
    read(target, position) {
      const end = position + target.length;
      if (position < from || end > to) {
        if (target.length > AHEAD_BYTES) return readUpTo(fd, target, position) === target.length;
        from = position;
        to = position + readUpTo(fd, ahead, position);
        if (end > to) return false;
      }
      target.set(ahead.subarray(position - from, end - from));
      return true;
    },
    close: () => closeSync(fd),
  };
}

/** Fills `target` unless the file ends before. Returns how many bytes were read. */
function readUpTo(fd: number, target: Uint8Array, position: number): number {
  let done = 0;
  while (done < target.length) {
    const read = readSync(fd, target, done, target.length - done, position + done);
    if (read === 0) break;
    done += read;
  }
  return done;
}
