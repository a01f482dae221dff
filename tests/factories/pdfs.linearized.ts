import { type PdfObjects, writeObjects } from "./pdf-writer.ts";
import { CATALOG, page, pageTree } from "./pdfs.ts";

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
