import { CATALOG_OBJECT, PAGES_OBJECT } from "./pdf.pieces.ts";

/** An object of a PDF as it is written. */
export function objectText(number: number, body: string): string {
  return `${number} 0 obj\n${body}\nendobj\n`;
}

/** A row of a cross-reference table: where an object is, or that there is none. 20 bytes long. */
export function tableRow(offset: number | null): string {
  return `${String(offset ?? 0).padStart(10, "0")} ${offset === null ? "65535 f" : "00000 n"} \n`;
}

/**
 * A PDF without pages. Pages that PDFium takes into it become objects from `firstObject` on, as the one before it is
 * the last that the cross-reference table knows.
 */
export function emptyFrame(firstObject: number): Buffer {
  const head = "%PDF-1.7\n";
  const catalog = objectText(CATALOG_OBJECT, `<</Type/Catalog/Pages ${PAGES_OBJECT} 0 R>>`);
  const pages = objectText(PAGES_OBJECT, "<</Type/Pages/Kids[]/Count 0>>");
  const rows = [null, head.length, head.length + catalog.length].map(tableRow).join("");
  const table = `xref\n0 3\n${rows}${firstObject - 1} 1\n${tableRow(null)}`;
  const trailer = `trailer\n<</Root ${CATALOG_OBJECT} 0 R/Size ${firstObject}>>\n`;
  const start = `startxref\n${head.length + catalog.length + pages.length}\n%%EOF\n`;
  return Buffer.from(head + catalog + pages + table + trailer + start, "latin1");
}

/** Where each object begins, by a cross-reference table as PDFium writes it. */
export function readTable(text: string): Map<number, number> {
  const offsets = new Map<number, number>();
  let next = 0;
  for (const [, offset, kind, first] of text.matchAll(/^(\d{10}) \d{5} ([nf])|^(\d+) \d+\s*$/gm)) {
    if (first !== undefined) next = Number(first);
    else {
      if (kind === "n") offsets.set(next, Number(offset));
      next++;
    }
  }
  return offsets;
}

/** The numbers of the objects in the `Kids` of this node of a page tree. */
export function readKids(node: string): number[] {
  const kids = /\/Kids\[([^\]]*)\]/.exec(node)?.[1] ?? "";
  return [...kids.matchAll(/(\d+) 0 R/g)].map(([, number]) => Number(number));
}
