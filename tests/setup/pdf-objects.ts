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

/** The contents of a PDF, from all its objects, including those in object streams. */
export interface PdfParts {
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
