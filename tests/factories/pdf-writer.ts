import { deflateSync } from "node:zlib";

/** The objects of a PDF by number: dictionaries as text, streams as bytes. */
export type PdfObjects = Record<number, string | Buffer>;

export interface WritingOptions {
  eol?: string;
  /** Added to every offset in the cross-reference table. */
  xrefShift?: number;
  /** Further entries of the trailer. */
  trailer?: string;
}

interface Written {
  bytes: Buffer;
  offsets: Map<number, number>;
}

/** Writes a PDF with a classic cross-reference table. Object 1 is the catalog. */
export function writePdf(objects: PdfObjects, options: WritingOptions = {}): Buffer {
  const { eol = "\n", xrefShift = 0, trailer = "" } = options;
  const { bytes, offsets } = writeObjects(Buffer.from(`%PDF-1.7${eol}`), objects, eol);
  const size = [...offsets.keys()].reduce((most, number) => Math.max(most, number)) + 1;
  const entry = (offset: number | undefined) =>
    offset === undefined ? "0000000000 65535 f" : `${String(offset + xrefShift).padStart(10, "0")} 00000 n`;
  const entries = Array.from(
    { length: size },
    (_, number) => `${entry(offsets.get(number))}${eol.padStart(2)}`,
  );
  const table = `xref${eol}0 ${size}${eol}${entries.join("")}`;
  const end = [
    `trailer`,
    `<< /Size ${size} /Root 1 0 R ${trailer} >>`,
    "startxref",
    bytes.length,
    "%%EOF",
    "",
  ];
  return Buffer.concat([bytes, Buffer.from(table + end.join(eol))]);
}

/** Appends new versions of some objects, like a program that saves incrementally. */
export function updatePdf(original: Buffer, objects: PdfObjects): Buffer {
  const previous = /startxref\s+(\d+)\s+%%EOF\s*$/.exec(original.toString("latin1"))?.[1];
  const size = /\/Size (\d+)/.exec(original.toString("latin1"))?.[1];
  const { bytes, offsets } = writeObjects(original, objects, "\n");
  const sections = [...offsets].map(
    ([number, offset]) => `${number} 1\n${String(offset).padStart(10, "0")} 00000 n \n`,
  );
  const newSize = Math.max(Number(size), Math.max(...offsets.keys()) + 1);
  const trailer = `trailer\n<< /Size ${newSize} /Root 1 0 R /Prev ${previous} >>`;
  return Buffer.concat([
    bytes,
    Buffer.from(`xref\n${sections.join("")}${trailer}\nstartxref\n${bytes.length}\n%%EOF\n`),
  ]);
}

/**
 * Writes a PDF with a cross-reference stream. `packed` maps an object to its object stream; each stream holds a single
 * object.
 */
export function writePackedPdf(objects: PdfObjects, packed: Map<number, number>): Buffer {
  const { bytes, offsets } = writeObjects(Buffer.from("%PDF-1.7\n"), objects, "\n");
  const xrefNumber = Math.max(...offsets.keys(), ...packed.keys()) + 1;
  offsets.set(xrefNumber, bytes.length);
  const rows = Array.from({ length: xrefNumber + 1 }, (_, number) => {
    const inStream = packed.get(number);
    if (inStream !== undefined) return xrefRow(2, inStream);
    const offset = offsets.get(number);
    return offset === undefined ? xrefRow(0, 0) : xrefRow(1, offset);
  });
  const entries = `/Type /XRef /Size ${xrefNumber + 1} /W [1 4 2] /Root 1 0 R`;
  const xref = writeObjects(bytes, { [xrefNumber]: pdfStream(Buffer.concat(rows), entries) }, "\n");
  return Buffer.concat([xref.bytes, Buffer.from(`startxref\n${bytes.length}\n%%EOF\n`)]);
}

function xrefRow(kind: number, value: number): Buffer {
  const row = Buffer.alloc(7);
  row.writeUInt8(kind, 0);
  row.writeUInt32BE(value, 1);
  return row;
}

/** An unencoded stream object; `entries` are added to its dictionary. */
export function pdfStream(content: Buffer, entries = ""): Buffer {
  return Buffer.concat([
    Buffer.from(`<< ${entries} /Length ${content.length} >>\nstream\n`),
    content,
    Buffer.from("\nendstream"),
  ]);
}

/** An object stream with one object; `wrap` encodes its content, `filters` name the decoding. */
export function objectStream(
  number: number,
  content: string,
  wrap: (content: Buffer) => Buffer = deflateSync,
  filters = "/FlateDecode",
): Buffer {
  const header = `${number} 0 `;
  const entries = `/Type /ObjStm /N 1 /First ${header.length} /Filter [${filters}]`;
  return pdfStream(wrap(Buffer.from(header + content)), entries);
}

export function writeObjects(before: Buffer, objects: PdfObjects, eol: string): Written {
  const parts = [before];
  const offsets = new Map<number, number>();
  let position = before.length;
  for (const [number, body] of Object.entries(objects)) {
    const object = Buffer.concat([
      Buffer.from(`${number} 0 obj${eol}`),
      Buffer.from(body),
      Buffer.from(`${eol}endobj${eol}`),
    ]);
    offsets.set(Number(number), position);
    parts.push(object);
    position += object.length;
  }
  return { bytes: Buffer.concat(parts), offsets };
}
