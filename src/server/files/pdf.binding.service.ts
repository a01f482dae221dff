import { randomBytes } from "node:crypto";
import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { oneAhead } from "./one-ahead.ts";
import { CATALOG_OBJECT, INFO_OBJECT, PAGES_OBJECT, type Piece } from "./pdf.pieces.ts";
import { objectText, tableRow } from "./pdf.syntax.ts";

const HEAD = "%PDF-1.7\n%\u00e2\u00e3\u00cf\u00d3\n";
const ROWS_PER_CHUNK = 1000;

/**
 * One PDF of all pieces, as it is sent: while a piece is read, the next is cut. Each is deleted once it has been read.
 * Nothing comes before the first piece is there. `title` is what viewers call the document.
 */
export async function* bindPieces(title: string, pieces: AsyncGenerator<Piece>): AsyncGenerator<Uint8Array> {
  const offsets: (number | null)[] = [];
  const pages: number[] = [];
  let position = 0;
  for await (const piece of oneAhead(pieces)) {
    if (position === 0) {
      yield latin1(HEAD);
      position = HEAD.length;
    }
    for (const offset of piece.offsets) offsets.push(offset === null ? null : position + offset);
    pages.push(...piece.pages);
    position += piece.end + 1 - piece.start;
    yield* createReadStream(piece.path, { start: piece.start, end: piece.end });
    await rm(piece.path);
  }
  yield* tail(title, pages, offsets, position);
}

/** What only the end of the document knows: all pages, and where every object is. */
function* tail(
  title: string,
  pages: number[],
  offsets: (number | null)[],
  start: number,
): Generator<Uint8Array> {
  let position = start;
  const places: number[] = [];
  for (const [number, body] of [
    [CATALOG_OBJECT, `<</Type/Catalog/Pages ${PAGES_OBJECT} 0 R>>`],
    [
      PAGES_OBJECT,
      `<</Type/Pages/Count ${pages.length}/Kids[${pages.map((page) => `${page} 0 R`).join(" ")}]>>`,
    ],
    [INFO_OBJECT, `<</Title<${utf16(title)}>>>`],
  ] as const) {
    places.push(position);
    const text = latin1(objectText(number, body));
    position += text.length;
    yield text;
  }
  const rows = [null, ...places, ...offsets];
  yield latin1(`xref\n0 ${rows.length}\n`);
  for (let at = 0; at < rows.length; at += ROWS_PER_CHUNK) {
    yield latin1(
      rows
        .slice(at, at + ROWS_PER_CHUNK)
        .map(tableRow)
        .join(""),
    );
  }
  const id = randomBytes(16).toString("hex");
  const trailer = `/Size ${rows.length}/Root ${CATALOG_OBJECT} 0 R/Info ${INFO_OBJECT} 0 R/ID[<${id}><${id}>]`;
  yield latin1(`trailer\n<<${trailer}>>\nstartxref\n${position}\n%%EOF\n`);
}

function latin1(text: string): Uint8Array {
  return Buffer.from(text, "latin1");
}

/** The text as a hexadecimal string of UTF-16 with a byte order mark. */
function utf16(text: string): string {
  return `FEFF${Buffer.from(text, "utf16le").swap16().toString("hex")}`;
}
