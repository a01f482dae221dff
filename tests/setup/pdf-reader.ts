import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { init, type WrappedPdfiumModule } from "@embedpdf/pdfium";
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFStream,
} from "pdf-lib";

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
  started ??= startPdfium();
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

/** Read each time, because it is replaced when it grows; PDFium's types lack it. */
export function memoryOf({ pdfium }: WrappedPdfiumModule): Uint8Array {
  return (pdfium as unknown as { HEAPU8: Uint8Array }).HEAPU8;
}

export async function startPdfium(): Promise<WrappedPdfiumModule> {
  const wasmBinary = readFileSync(fileURLToPath(import.meta.resolve("@embedpdf/pdfium/pdfium.wasm")));
  const pdfium = await init({ wasmBinary: new Uint8Array(wasmBinary).buffer });
  pdfium.PDFiumExt_Init();
  return pdfium;
}

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
  // Without a closure for each of a million pixels, which would take a tenth of a second a page.
  for (let at = 0; at < one.pixels.length; at += 4)
    if (isApart(one, other, at) || isApart(one, other, at + 1) || isApart(one, other, at + 2)) differing++;
  return differing / (one.width * one.height);
}

function isApart(one: PagePixels, other: PagePixels, at: number): boolean {
  return Math.abs((one.pixels[at] ?? 0) - (other.pixels[at] ?? 0)) > SAME;
}

/** The contents of a PDF, from all its objects, including those in object streams. */
interface PdfParts {
  /** The keys of the catalog and of all pages. */
  catalogKeys: string[];
  pageKeys: string[];
  /** The keys of all dictionaries, and keys with names as values, such as `S JavaScript`. */
  keys: Set<string>;
  names: Set<string>;
  /** The bytes of the file and of its unpacked streams. */
  bytes: Buffer;
}

/** Reads all objects of a PDF with a different library than the one that wrote it. */
export async function readPdfParts(pdf: Uint8Array): Promise<PdfParts> {
  const document = await PDFDocument.load(pdf, { updateMetadata: false });
  const parts: PdfParts & { found: Buffer[] } = {
    catalogKeys: keysOf(document.catalog),
    pageKeys: [...new Set(document.getPages().flatMap(({ node }) => keysOf(node)))],
    keys: new Set(),
    names: new Set(),
    bytes: Buffer.alloc(0),
    found: [Buffer.from(pdf)],
  };
  for (const [, object] of document.context.enumerateIndirectObjects()) collect(object, parts);
  return { ...parts, bytes: Buffer.concat(parts.found) };
}

function collect(object: PDFObject, parts: PdfParts & { found: Buffer[] }): void {
  if (object instanceof PDFArray) for (const item of object.asArray()) collect(item, parts);
  if (object instanceof PDFRawStream && !isPicture(object))
    parts.found.push(Buffer.from(decodePDFRawStream(object).decode()));
  const dictionary = object instanceof PDFStream ? object.dict : object;
  if (!(dictionary instanceof PDFDict)) return;
  for (const [key, value] of dictionary.entries()) {
    parts.keys.add(key.decodeText());
    if (value instanceof PDFName) parts.names.add(`${key.decodeText()} ${value.decodeText()}`);
    collect(value, parts);
  }
}

/** Whether its encoding is one that only pictures use. */
function isPicture({ dict }: PDFRawStream): boolean {
  return /DCTDecode|CCITTFaxDecode|JPXDecode|JBIG2Decode/.test(String(dict.get(PDFName.of("Filter"))));
}

function keysOf(dictionary: PDFDict): string[] {
  return dictionary.keys().map((key) => key.decodeText());
}
