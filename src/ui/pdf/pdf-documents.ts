import {
  GlobalWorkerOptions,
  getDocument,
  PDFDataRangeTransport,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from "pdfjs-dist/legacy/build/pdf.mjs";
import { loadOnce } from "#shared/load-once.ts";

// Import this file only by `import()` or in lazy components: pdf.js is larger than the rest of the store.

/** The path of pdf.js' data, set by the build. */
declare const __PDFJS_DATA__: string;

GlobalWorkerOptions.workerSrc = `${__PDFJS_DATA__}/pdf.worker.min.mjs`;

const DRAWING_DATA = {
  cMapUrl: `${__PDFJS_DATA__}/cmaps/`,
  standardFontDataUrl: `${__PDFJS_DATA__}/standard_fonts/`,
  wasmUrl: `${__PDFJS_DATA__}/wasm/`,
  iccUrl: `${__PDFJS_DATA__}/iccs/`,
};

/** Loads pdf.js' worker into the browser's cache: after a failure to load it, pdf.js itself would not try again. */
const loadWorker = loadOnce(async () => {
  const answer = await fetch(GlobalWorkerOptions.workerSrc);
  if (!answer.ok) throw new Error("the worker of pdf.js could not be loaded");
  await answer.arrayBuffer();
});

/**
 * Opens a PDF from a file or URL; only the needed parts are read. The caller closes it with
 * `loadingTask.destroy()`. Throws for a locked or damaged file, and where `signal` says that nobody waits for it any more.
 */
export async function openPdf(source: Blob | string, signal?: AbortSignal): Promise<PDFDocumentProxy> {
  await loadWorker();
  signal?.throwIfAborted();
  const data = typeof source === "string" ? { url: source } : { range: new BlobTransport(source) };
  const loading = getDocument({
    ...data,
    ...DRAWING_DATA,
    disableAutoFetch: true,
    disableStream: true,
    verbosity: 0,
  });
  const stop = () => void loading.destroy();
  signal?.addEventListener("abort", stop);
  try {
    return await loading.promise;
  } catch (error) {
    await loading.destroy();
    throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** Browsers refuse larger canvases, and a PDF's pages may be huge. */
const MAX_PIXELS = 16_000_000;

interface Drawing {
  /** In CSS pixels. */
  width: number;
  /** Canvas pixels per CSS pixel. */
  density: number;
  /** Cancels the drawing. */
  signal?: AbortSignal;
}

/** Draws a page on the canvas, resizing the canvas. */
export async function drawPage(
  page: PDFPageProxy,
  canvas: HTMLCanvasElement,
  { width, density, signal }: Drawing,
): Promise<void> {
  const paper = page.getViewport({ scale: 1 });
  const sharp = (width / paper.width) * density;
  const scale = Math.min(sharp, Math.sqrt(MAX_PIXELS / (paper.width * paper.height)));
  const viewport = page.getViewport({ scale });
  canvas.width = Math.max(1, Math.floor(viewport.width));
  canvas.height = Math.max(1, Math.floor(viewport.height));
  const drawing = page.render({ canvas, viewport, intent: "print" });
  const stop = () => drawing.cancel();
  signal?.addEventListener("abort", stop);
  try {
    await drawing.promise;
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    signal?.removeEventListener("abort", stop);
  }
}

/** Reads the byte ranges that pdf.js requests, so that a large file is never read whole. */
class BlobTransport extends PDFDataRangeTransport {
  readonly #blob: Blob;

  constructor(blob: Blob) {
    super(blob.size, null);
    this.#blob = blob;
  }

  override requestDataRange(begin: number, end: number): void {
    this.#blob
      .slice(begin, end)
      .arrayBuffer()
      .then((bytes) => this.onDataRange(begin, new Uint8Array(bytes)))
      .catch(() => this.abort());
  }
}
