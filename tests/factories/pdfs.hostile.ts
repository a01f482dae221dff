import { constants, deflateRawSync, deflateSync } from "node:zlib";
import { objectStream, type PdfObjects, pdfStream, writePackedPdf, writePdf } from "./pdf-writer.ts";
import { CATALOG, page, pageTree } from "./pdfs.ts";

const MB = 1024 * 1024;
const GB = 1024 * MB;

/** About 100 kB whose page tree is in an object stream that unpacks to 40 GB. */
export function decompressionBomb(): Buffer {
  const inflated = (content: Buffer) => deflateSync(zlibOfZeros(content, 40 * GB));
  const objects: PdfObjects = {
    1: CATALOG,
    3: page(),
    4: objectStream(2, pageTree([3]), inflated, "/FlateDecode /FlateDecode"),
  };
  return writePackedPdf(objects, new Map([[2, 4]]));
}

/**
 * Each page is in an object stream that unpacks to 120 MB, which the next filter discards: it costs much time but
 * little memory.
 */
export function slowPdf(pages: number): Buffer {
  const pad = (content: Buffer) => Buffer.from(`${content.toString("hex")}>`);
  const slow = (content: Buffer) => deflateSync(zlibOfZeros(pad(content), 120 * MB));
  const filters = "/FlateDecode /FlateDecode /ASCIIHexDecode";
  const numbers = Array.from({ length: pages }, (_, index) => index + 3);
  const streamOf = (number: number) => number + pages;
  return writePackedPdf(
    {
      1: CATALOG,
      2: pageTree(numbers),
      ...Object.fromEntries(
        numbers.map((number) => [streamOf(number), objectStream(number, page(), slow, filters)]),
      ),
    },
    new Map(numbers.map((number) => [number, streamOf(number)])),
  );
}

/** A page tree of this depth, with one child per node and one page at the bottom. */
export function deepPdf(depth: number): Buffer {
  const objects: PdfObjects = { 1: CATALOG };
  for (let node = 2; node < depth + 2; node++) {
    objects[node] = pageTree([node + 1], 1, node > 2 ? `/Parent ${node - 1} 0 R` : "");
  }
  objects[depth + 2] = page(depth + 1);
  return writePdf(objects);
}

/** A deep page tree with many pages at the bottom: finding each page walks through all nodes. */
export function deepPages(depth: number, pages: number): Buffer {
  const foot = depth + 1;
  const objects: PdfObjects = { 1: CATALOG };
  for (let node = 2; node < foot; node++) {
    objects[node] = pageTree([node + 1], pages, node > 2 ? `/Parent ${node - 1} 0 R` : "");
  }
  const numbers = Array.from({ length: pages }, (_, index) => foot + 1 + index);
  objects[foot] = pageTree(numbers, pages, `/Parent ${foot - 1} 0 R`);
  // The pages inherit their size from the nodes above, none of which has one.
  for (const number of numbers) objects[number] = `<< /Type /Page /Parent ${foot} 0 R >>`;
  return writePdf(objects);
}

const BLOCK_BYTES = 40 * MB;
let zeros: Buffer | undefined;

/**
 * `content` followed by zeros up to about `bytes`, deflated. One fully flushed block is repeated, so that nothing of
 * that size is ever held in memory or compressed.
 */
function zlibOfZeros(content: Buffer, bytes: number): Buffer {
  zeros ??= deflatedBlock(Buffer.alloc(BLOCK_BYTES));
  const blocks = Array<Buffer>(Math.round(bytes / BLOCK_BYTES)).fill(zeros);
  const end = deflateRawSync(Buffer.alloc(0));
  const noChecksum = Buffer.alloc(4);
  return Buffer.concat([ZLIB_HEADER, deflatedBlock(content), ...blocks, end, noChecksum]);
}

const ZLIB_HEADER = Buffer.from([0x78, 0xda]);

function deflatedBlock(content: Buffer): Buffer {
  return deflateRawSync(content, { finishFlush: constants.Z_FULL_FLUSH, level: 9 });
}

/** A pattern that never finishes drawing. */
const DUST = pdfStream(
  Buffer.from("0 0 1 1 re f"),
  "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.001 /YStep 0.001 /Resources << >>",
);

/** A4 pages with a red square; page number `slow`, which has the entries `more`, never finishes drawing. */
export function slowToDrawPdf(pages: number, slow: number, more = ""): Buffer {
  const numbers = Array.from({ length: pages }, (_, index) => index + 6);
  const slowPage = page().replace(
    "/Resources << >>",
    `/Resources << /Pattern << /Dust 3 0 R >> >> /Contents 4 0 R ${more}`,
  );
  const redPage = page().replace("/Resources << >>", "/Resources << >> /Contents 5 0 R");
  return writePdf({
    1: CATALOG,
    2: pageTree(numbers),
    3: DUST,
    4: pdfStream(Buffer.from("/Pattern cs /Dust scn 0 0 595 842 re f")),
    5: pdfStream(Buffer.from("1 0 0 rg 100 100 200 200 re f")),
    ...Object.fromEntries(numbers.map((number, index) => [number, index + 1 === slow ? slowPage : redPage])),
  });
}

/** A page with a picture of `side` × `side` pixels, in a few bytes. */
export function hugePicturePdf(side: number): Buffer {
  return picturePdf(side, zlibOfZeros(Buffer.alloc(0), side * side * 3), "/Filter /FlateDecode");
}

/** A page with an uncompressed picture of 95 MB. */
export function rawPicturePdf(): Buffer {
  const side = Math.floor(Math.sqrt((95 * MB) / 3));
  return picturePdf(side, Buffer.alloc(side * side * 3));
}

function picturePdf(side: number, pixels: Buffer, filter = ""): Buffer {
  const picture = `/Type /XObject /Subtype /Image /Width ${side} /Height ${side} /ColorSpace /DeviceRGB /BitsPerComponent 8`;
  return writePdf({
    1: CATALOG,
    2: pageTree([3]),
    3: page().replace("/Resources << >>", "/Resources << /XObject << /Huge 4 0 R >> >> /Contents 5 0 R"),
    4: pdfStream(pixels, `${picture} ${filter}`),
    5: pdfStream(Buffer.from("595 0 0 842 0 0 cm /Huge Do")),
  });
}

/** A page of 3 kB that draws ten forms, each of which draws ten, eight levels deep. */
export function nestedFormsPdf(): Buffer {
  const form = "/Type /XObject /Subtype /Form /BBox [0 0 595 842]";
  const LEVELS = 8;
  const objects: PdfObjects = {
    1: CATALOG,
    2: pageTree([3]),
    3: page().replace("/Resources << >>", "/Resources << /XObject << /Next 5 0 R >> >> /Contents 4 0 R"),
    4: pdfStream(Buffer.from("/Next Do")),
  };
  for (let level = 0; level < LEVELS; level++) {
    const next = `/Resources << /XObject << /Next ${level + 6} 0 R >> >>`;
    objects[level + 5] = pdfStream(Buffer.from("/Next Do ".repeat(10)), `${form} ${next}`);
  }
  objects[LEVELS + 5] = pdfStream(Buffer.from("0 0 9 9 re f"), form);
  return writePdf(objects);
}

interface Layers {
  /** The document's configuration of its layer, object 10. */
  config?: string;
  /** Further content of each page; /Dust is a pattern that never finishes. */
  content?: string;
}

const FIRST_PAGE = 20;

/** An A6 PDF whose pages are labelled "Page 3" and so on, under a blue square on a hidden layer. */
export function layeredPagesPdf(
  pages: number,
  { config = "/OFF [10 0 R]", content = "" }: Layers = {},
): Buffer {
  const numbers = Array.from({ length: pages }, (_, index) => FIRST_PAGE + index * 2);
  const objects: PdfObjects = {
    1: `<< /Type /Catalog /Pages 2 0 R /OCProperties << /OCGs [10 0 R] /D << /Order [10 0 R] ${config} >> >> >>`,
    2: pageTree(numbers, pages, "/MediaBox [0 0 298 420]"),
    7: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    8: DUST,
    10: "<< /Type /OCG /Name (Draft) >>",
  };
  const resources =
    "/Resources << /Font << /F 7 0 R >> /Pattern << /Dust 8 0 R >> /Properties << /Layer 10 0 R >> >>";
  for (const [index, number] of numbers.entries()) {
    objects[number] = `<< /Type /Page /Parent 2 0 R /Contents ${number + 1} 0 R ${resources} >>`;
    objects[number + 1] = pdfStream(
      Buffer.from(
        `BT /F 24 Tf 40 300 Td (Page ${index + 1}) Tj ET ${content} /OC /Layer BDC 0 0 1 rg 50 50 200 200 re f EMC`,
      ),
    );
  }
  return writePdf(objects);
}
