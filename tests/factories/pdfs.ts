import { PDFDocument } from "pdf-lib";
import { type PdfObjects, updatePdf, type WritingOptions, writeObjects, writePdf } from "./pdf-writer.ts";

const A4 = "/MediaBox [0 0 595 842]";
export const CATALOG = "<< /Type /Catalog /Pages 2 0 R >>";

const written = new Map<number, Promise<Uint8Array<ArrayBuffer>>>();

/** An ordinary PDF with this many A4 pages and object streams, as current programs write it; written once. */
export function pdfOfPages(pages: number): Promise<Uint8Array<ArrayBuffer>> {
  const pdf = written.get(pages) ?? pagesOfSize(pages, [595, 842]);
  written.set(pages, pdf);
  return pdf;
}

/** The same with pages of this width and height, in points. */
export async function pagesOfSize(pages: number, size: [number, number]): Promise<Uint8Array<ArrayBuffer>> {
  const document = await PDFDocument.create();
  for (let page = 0; page < pages; page++) document.addPage(size);
  return new Uint8Array(await document.save());
}

/** A page below the page tree's node `parent`. */
export function page(parent = 2): string {
  return `<< /Type /Page /Parent ${parent} 0 R ${A4} /Resources << >> >>`;
}

/** A node of the page tree with these children; `count` is the number of pages that it claims. */
export function pageTree(kids: number[], count: number | null = kids.length, more = ""): string {
  const references = kids.map((kid) => `${kid} 0 R`).join(" ");
  return `<< /Type /Pages /Kids [${references}] ${count === null ? "" : `/Count ${count}`} ${more} >>`;
}

/** Catalog, one node and its pages. `count` is the number of pages that the node claims. */
export function plainObjects(pages: number, count: number | null = pages): PdfObjects {
  const numbers = Array.from({ length: pages }, (_, index) => index + 3);
  return {
    1: CATALOG,
    2: pageTree(numbers, count),
    ...Object.fromEntries(numbers.map((number) => [number, page()])),
  };
}

/** A PDF in the oldest style: uncompressed objects and a cross-reference table. */
export function plainPdf(pages: number, options?: WritingOptions): Buffer {
  return writePdf(plainObjects(pages), options);
}

/** A page whose crop box lies beside its media box: some programs show all of it, and others print an empty sheet. */
export function croppedAwayPdf(): Buffer {
  const cropped = page().replace(A4, `${A4} /CropBox [900 900 1200 1300]`);
  return writePdf({ ...plainObjects(2), 4: cropped });
}

/** Written with `before` pages and saved again with `after`. */
export function resavedPdf(before: number, after: number): Buffer {
  const { 1: _catalog, ...changed } = plainObjects(after);
  return updatePdf(plainPdf(before), changed);
}

export function withWrongStartxref(pdf: Buffer): Buffer {
  return Buffer.from(pdf.toString("latin1").replace(/startxref\s+\d+/, "startxref\n99999999"), "latin1");
}

export function withPrefix(pdf: Buffer, bytes: number): Buffer {
  return Buffer.concat([Buffer.alloc(bytes, "X-Mailer: none\r\n"), pdf]);
}

export function withPadding(pdf: Buffer, bytes: number): Buffer {
  return Buffer.concat([pdf, Buffer.alloc(bytes)]);
}

export function pagesWithoutType(pages: number): Buffer {
  const objects = Object.entries(plainObjects(pages)).map(([number, body]) => [
    number,
    Number(number) > 2 ? String(body).replace("/Type /Page ", "") : body,
  ]);
  return writePdf(Object.fromEntries(objects));
}

/** One page object that occurs several times in the tree. */
export function samePage(times: number): Buffer {
  return writePdf({ 1: CATALOG, 2: pageTree(Array<number>(times).fill(3)), 3: page() });
}

/** A tree that claims `count` pages but has `pages`. */
export function lyingPdf(pages: number, count: number | null): Buffer {
  return writePdf(plainObjects(pages, count));
}

/** A tree whose only child is the tree itself. */
export function loopingPdf(): Buffer {
  return writePdf({ 1: CATALOG, 2: pageTree([3], 5), 3: pageTree([2], 5, "/Parent 2 0 R") });
}

/**
 * A linearized PDF: the first page's objects and cross-reference table come first, the other pages and theirs last.
 * Offsets that are only known at the end have a fixed width.
 */
export function linearizedPdf(pages: number): Buffer {
  const draft = layOut(pages, { length: 0, firstPageEnd: 0, mainXref: 0 });
  const { bytes } = layOut(pages, draft);
  return bytes;
}

interface Layout {
  length: number;
  firstPageEnd: number;
  mainXref: number;
}

function layOut(pages: number, known: Layout): Layout & { bytes: Buffer } {
  const others = Array.from({ length: pages - 1 }, (_, index) => index + 1);
  const [dictionary, catalog, tree, firstPage] = [pages, pages + 1, pages + 2, pages + 3];
  const head = writeObjects(
    Buffer.from("%PDF-1.7\n"),
    { [dictionary]: parameters(known, firstPage, pages) },
    "\n",
  );
  const size = pages + 4;

  const firstObjects: PdfObjects = {
    [catalog]: CATALOG.replace("2 0 R", `${tree} 0 R`),
    [tree]: pageTree([firstPage, ...others]),
    [firstPage]: page(tree),
  };
  const xrefAt = head.bytes.length;
  const table = (offsets: Map<number, number>) =>
    firstXref(offsets, { from: dictionary, size, root: catalog, previous: known.mainXref });
  const blank = table(new Map([...head.offsets, [catalog, 0], [tree, 0], [firstPage, 0]]));
  const first = writeObjects(Buffer.concat([head.bytes, blank]), firstObjects, "\n");
  table(new Map([...head.offsets, ...first.offsets])).copy(first.bytes, xrefAt);

  const rest = writeObjects(
    first.bytes,
    Object.fromEntries(others.map((number) => [number, page(tree)])),
    "\n",
  );
  const bytes = Buffer.concat([rest.bytes, mainXref(rest.offsets, pages, xrefAt)]);
  return { bytes, length: bytes.length, firstPageEnd: first.bytes.length, mainXref: rest.bytes.length };
}

function parameters(known: Layout, firstPage: number, pages: number): string {
  const { length, firstPageEnd, mainXref } = known;
  return `<< /Linearized 1 /L ${wide(length)} /H [0 0] /O ${firstPage} /E ${wide(firstPageEnd)} /N ${pages} /T ${wide(mainXref)} >>`;
}

function firstXref(
  offsets: Map<number, number>,
  { from, size, root, previous }: { from: number; size: number; root: number; previous: number },
): Buffer {
  const entries = [...offsets.values()].map((offset) => `${wide(offset)} 00000 n \n`).join("");
  const trailer = `trailer\n<< /Size ${size} /Root ${root} 0 R /Prev ${wide(previous)} >>`;
  return Buffer.from(`xref\n${from} ${offsets.size}\n${entries}${trailer}\nstartxref\n0\n%%EOF\n`);
}

function mainXref(offsets: Map<number, number>, size: number, firstXrefAt: number): Buffer {
  const entries = [...offsets.values()].map((offset) => `${wide(offset)} 00000 n \n`).join("");
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries}trailer\n<< /Size ${size} >>`;
  return Buffer.from(`${table}\nstartxref\n${firstXrefAt}\n%%EOF\n`);
}

function wide(number: number): string {
  return String(number).padStart(10, "0");
}
