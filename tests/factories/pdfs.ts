import { PDFDocument } from "pdf-lib";

/** An ordinary PDF of so many A4 pages. */
export async function pdfOfPages(pages: number): Promise<Uint8Array<ArrayBuffer>> {
  const document = await PDFDocument.create();
  for (let page = 0; page < pages; page++) document.addPage([595, 842]);
  return new Uint8Array(await document.save());
}
