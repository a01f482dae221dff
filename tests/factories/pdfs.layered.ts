import { type PdfObjects, pdfStream, writePdf } from "./pdf-writer.ts";
import { pageTree } from "./pdfs.ts";

interface Layers {
  /** The document's configuration of its layer, object 10. */
  config?: string;
  /** Further content of each page; /Dust is a pattern that never finishes. */
  content?: string;
}

const FIRST_PAGE = 20;
const DUST =
  "/Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1 1] /XStep 0.001 /YStep 0.001 /Resources << >>";

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
    8: pdfStream(Buffer.from("0 0 1 1 re f"), DUST),
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
