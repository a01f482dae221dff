import { randomBytes } from "node:crypto";
import { type PdfObjects, pdfStream, writePdf } from "./pdf-writer.ts";
import { CATALOG, pageTree } from "./pdfs.ts";

interface Pictures {
  /** Size of the picture on each page, in bytes. */
  each?: number;
  /** Size of one picture that all pages share, in bytes. */
  shared?: number;
}

const FONT = 3;
const SHARED = 4;
const FIRST_PAGE = 5;

/** A PDF whose pages are labelled, such as "Thesis 3", with incompressible pictures. */
export function numberedPdf(name: string, pages: number, { each = 0, shared = 0 }: Pictures = {}): Buffer {
  const objects: PdfObjects = {
    1: CATALOG,
    [FONT]: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
    [SHARED]: picture(shared),
  };
  const numbers = Array.from({ length: pages }, (_, index) => FIRST_PAGE + index * 3);
  for (const [index, number] of numbers.entries()) {
    const pictures = `/XObject << /All ${SHARED} 0 R /Own ${number + 2} 0 R >>`;
    const resources = `/Resources << /Font << /F ${FONT} 0 R >> ${pictures} >>`;
    objects[number] =
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents ${number + 1} 0 R ${resources} >>`;
    objects[number + 1] = pdfStream(
      Buffer.from(`BT /F 24 Tf 72 700 Td (${name} ${index + 1}) Tj ET /All Do /Own Do`),
    );
    objects[number + 2] = picture(each);
  }
  objects[2] = pageTree(numbers);
  return writePdf(objects);
}

function picture(bytes: number): Buffer {
  const pixels = randomBytes(Math.max(bytes, 1));
  const entries = `/Type /XObject /Subtype /Image /ColorSpace /DeviceGray /BitsPerComponent 8 /Height 1`;
  return pdfStream(pixels, `${entries} /Width ${pixels.length} /Filter /RunLengthDecode`);
}
