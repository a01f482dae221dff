import fc from "fast-check";
import { type PdfObjects, pdfStream, writePdf } from "../factories/pdf-writer.ts";
import { ACTIVE_PARTS, type ActivePart } from "../factories/pdfs.active.ts";
import { pageTree } from "../factories/pdfs.ts";

/** Kinds of pages: with active content, hidden layers, misleading structure, or plain text. */
const PARTS: Record<string, ActivePart> = {
  ...ACTIVE_PARTS,
  "a layer that is switched off": {
    catalog: "/OCProperties << /OCGs [10 0 R] /D << /OFF [10 0 R] >> >>",
    resources: "/Properties << /Layer 10 0 R >>",
    content: "/OC /Layer BDC 0 0 1 rg 100 100 300 300 re f EMC",
    objects: { 10: "<< /Type /OCG /Name (Draft) >>" },
  },
  "a hidden stamp": {
    annotations: [10],
    objects: {
      10: "<< /Type /Annot /Subtype /Stamp /Rect [100 100 400 400] /F 2 /AP << /N 11 0 R >> >>",
      11: pdfStream(
        Buffer.from("1 0 0 rg 0 0 300 300 re f"),
        "/Type /XObject /Subtype /Form /BBox [0 0 300 300]",
      ),
    },
  },
  nothing: {},
};

/** Numbers of objects: the catalog is 1 and the root of the page tree 2. */
const FONT = 5;
const NODES = 20;
const FIRST_PAGE = 10_000;
const PAGE_NUMBERS = 100;

interface Shape {
  /** The kind of each page. */
  pages: string[];
  /** The count in the page tree: missing for null, correct for "right". */
  count: number | null | "right";
  /** Levels of nodes between the root and the pages. */
  depth: number;
}

/** Damages the bytes of a sound file, or leaves them as they are. */
type Ending = (pdf: Buffer) => Buffer;

const share = fc.noBias(fc.nat(999)).map((thousandths) => thousandths / 1000);
const whole = fc.constant<Ending>((pdf) => pdf);
const cut = share.map<Ending>((keep) => (pdf) => pdf.subarray(0, Math.ceil(keep * pdf.length)));
const withoutTable = fc.constant<Ending>((pdf) => pdf.subarray(0, pdf.lastIndexOf("xref\n0")));
const unendedStreams = fc.constant<Ending>((pdf) =>
  Buffer.from(pdf.toString("latin1").replaceAll("\nendstream", ""), "latin1"),
);
const longerStreams = fc
  .constantFrom("0", "-1", "99999999", "4294967296")
  .map<Ending>(
    (length) => (pdf) =>
      Buffer.from(pdf.toString("latin1").replace(/\/Length \d+/g, `/Length ${length}`), "latin1"),
  );

export interface HostilePdf {
  pdf: Buffer;
  /** Whether the file or a stream is truncated, so that programs may draw it differently. */
  isDamaged: boolean;
}

/** Small PDFs with active content, false page counts or truncation. */
export const hostilePdfs: fc.Arbitrary<HostilePdf> = fc
  .record({
    pages: fc.array(fc.constantFrom(...Object.keys(PARTS)), { minLength: 1, maxLength: 6 }),
    count: fc.oneof(
      { weight: 3, arbitrary: fc.constant("right" as const) },
      fc.constantFrom(null, 0, 1, 2, -3, 1000, 5001, 2_147_483_648),
    ),
    depth: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.constantFrom(1, 40, 700, 1100)),
    ending: fc.oneof({ weight: 6, arbitrary: whole }, cut, withoutTable, unendedStreams, longerStreams),
  })
  .map(({ ending, ...shape }) => {
    const sound = write(shape);
    const pdf = ending(sound);
    return { pdf, isDamaged: pdf !== sound };
  });

function write({ pages, count, depth }: Shape): Buffer {
  const numbers = pages.map((_, index) => FIRST_PAGE + index * PAGE_NUMBERS);
  const parts = pages.map((name, index) => renumbered(PARTS[name] ?? {}, numbers[index] ?? 0));
  const said = count === "right" ? pages.length : count;
  const nodes = [2, ...Array.from({ length: depth }, (_, index) => NODES + index)];
  const objects: PdfObjects = {
    1: `<< /Type /Catalog /Pages 2 0 R ${parts.map(({ catalog = "" }) => catalog).join(" ")} >>`,
    [FONT]: "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>",
  };
  for (const [index, node] of nodes.entries()) {
    const below = nodes[index + 1];
    const parent = nodes[index - 1];
    objects[node] = pageTree(below ? [below] : numbers, said, parent ? `/Parent ${parent} 0 R` : "");
  }
  for (const [index, part] of parts.entries()) {
    const number = numbers[index] ?? 0;
    const annotations = (part.annotations ?? []).map((each) => `${each} 0 R`);
    objects[number] =
      `<< /Type /Page /Parent ${nodes.at(-1)} 0 R /MediaBox [0 0 595 842] /Contents ${number + 1} 0 R
      /Resources << /Font << /F ${FONT} 0 R /AA ${FONT} 0 R >> ${part.resources ?? ""} >>
      ${part.page ?? ""} /Annots [${annotations.join(" ")}] >>`;
    objects[number + 1] = pdfStream(
      Buffer.from(`BT /AA 24 Tf 72 700 Td (Page ${index + 1}) Tj ET ${part.content ?? ""}`),
    );
    Object.assign(objects, part.objects);
  }
  return writePdf(objects);
}

/** The text with its two-digit object numbers increased to start at `first`. */
function renumbered({ objects = {}, annotations = [], ...texts }: ActivePart, first: number): ActivePart {
  const move = (text: string) =>
    text.replace(/\b(1\d) 0 R\b/g, (_, number) => `${first + Number(number)} 0 R`);
  return {
    ...Object.fromEntries(Object.entries(texts).map(([key, text]) => [key, move(text)])),
    annotations: annotations.map((number) => first + number),
    objects: Object.fromEntries(
      Object.entries(objects).map(([number, body]) => [
        first + Number(number),
        typeof body === "string" ? move(body) : Buffer.from(move(body.toString("latin1")), "latin1"),
      ]),
    ),
  };
}
