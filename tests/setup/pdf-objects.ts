import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFName,
  type PDFObject,
  PDFRawStream,
  PDFStream,
} from "@cantoo/pdf-lib";

/** What a PDF is made of, in all its objects, those in object streams too. */
export interface PdfParts {
  /** Keys of the catalog and of all pages. */
  catalogKeys: string[];
  pageKeys: string[];
  /** Keys of all dictionaries, and names that are their values, such as `S JavaScript`. */
  keys: Set<string>;
  names: Set<string>;
  /** All bytes: of the file as it is, and of its streams unpacked. */
  bytes: Buffer;
}

/** Reads every object of a PDF with another program than the one that wrote it. */
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

/** Whether its bytes are packed as only pictures are. */
function isPicture({ dict }: PDFRawStream): boolean {
  return /DCTDecode|CCITTFaxDecode|JPXDecode|JBIG2Decode/.test(String(dict.get(PDFName.of("Filter"))));
}

function keysOf(dictionary: PDFDict): string[] {
  return dictionary.keys().map((key) => key.decodeText());
}
