import { readSync } from "node:fs";

/** A value in PDF syntax. Positions count from the beginning of the file. */
export interface PdfValue {
  start: number;
  end: number;
  /** Its text, unless it contains other values. */
  token?: string;
  /** The number of the referenced object. */
  ref?: number;
  entries?: PdfEntry[];
  items?: PdfValue[];
}

export interface PdfEntry {
  /** Without its slash. */
  key: string;
  /** Position of the key. */
  start: number;
  value: PdfValue;
}

export interface PdfObject {
  number: number;
  value: PdfValue;
  isStream: boolean;
  /** Position of its last byte before `endobj`. */
  end: number;
}

const SPACE = "[\\0\\t\\n\\f\\r ]";
const REGULAR = "[^\\0\\t\\n\\f\\r ()<>[\\]{}/%]";
const SPACES = new RegExp(`${SPACE}*`, "y");
/** Comments occur only before the first object. */
const OBJECT = new RegExp(`(?:%[^\\r\\n]*|${SPACE})*(\\d+) \\d+ obj${SPACE}+`, "y");
const REFERENCE = new RegExp(`(\\d+) \\d+ R(?!${REGULAR})`, "y");
const TOKEN = new RegExp(
  `<<|>>|\\[|\\]|/${REGULAR}*|\\((?:\\\\[^]|[^\\\\()])*\\)|<[0-9A-Fa-f]*>|${REGULAR}+`,
  "y",
);
const END = new RegExp(`${SPACE}*(?:(stream)\\r\\n|endobj${SPACE}+)`, "y");
const END_OF_STREAM = "\r\nendstream";
const END_OF_OBJECT = "\r\nendobj\r\n";
const WINDOW_BYTES = 64 * 1024;

/**
 * Reads the objects that PDFium has written, from `start` up to the cross-reference table. Throws where they are not written
 * as PDFium writes them.
 */
export function* readObjects(fd: number, start: number, end: number): Generator<PdfObject> {
  let base = start;
  let text = readText(fd, base, WINDOW_BYTES);
  for (let position = start; ; ) {
    const syntax = new Syntax(text, base, position);
    const object = syntax.object();
    if (object) {
      position = object.isStream ? skipStream(object, syntax, fd) : syntax.position;
      yield object;
    } else {
      if (text.startsWith("xref", position - base)) return;
      const isLast = base + text.length >= end;
      if (isLast && base === position) throw new Error(`No object of PDFium's at byte ${position}`);
      text = readText(fd, position, base === position ? 4 * text.length : WINDOW_BYTES);
      base = position;
    }
  }
}

/** Position of the next object, by the length of the stream, which PDFium always writes. */
function skipStream(object: PdfObject, syntax: Syntax, fd: number): number {
  const length = object.value.entries?.find(({ key }) => key === "Length")?.value.token;
  const end = syntax.position + Number(length);
  object.end = end + END_OF_STREAM.length;
  const behind = END_OF_STREAM + END_OF_OBJECT;
  if (!syntax.has(behind, end) && readText(fd, end, behind.length) !== behind)
    throw new Error(`No end of a stream of PDFium's at byte ${object.end}`);
  return object.end + END_OF_OBJECT.length;
}

/** Up to `bytes` bytes as Latin-1. */
export function readText(fd: number, start: number, bytes: number): string {
  const buffer = Buffer.alloc(bytes);
  return buffer.toString("latin1", 0, readSync(fd, buffer, 0, bytes, start));
}

/** The text ends within a value, or is not PDF syntax. */
class Unfinished extends Error {}

class Syntax {
  readonly #text: string;
  readonly #base: number;
  #at: number;

  constructor(text: string, base: number, position: number) {
    this.#text = text;
    this.#base = base;
    this.#at = position - base;
  }

  get position(): number {
    return this.#base + this.#at;
  }

  /** Whether the text has `text` at this position. */
  has(text: string, position: number): boolean {
    return this.#text.startsWith(text, position - this.#base);
  }

  /** Reads an object; null where the text does not hold all of it. */
  object(): PdfObject | null {
    try {
      const number = Number(this.#take(OBJECT)?.[1] ?? fail());
      const value = this.#value();
      const { end } = value;
      const [, stream] = this.#take(END) ?? fail();
      return { number, value, isStream: stream !== undefined, end };
    } catch (error) {
      if (error instanceof Unfinished) return null;
      throw error;
    }
  }

  #value(): PdfValue {
    this.#take(SPACES);
    const start = this.position;
    const reference = this.#take(REFERENCE);
    if (reference) return { start, end: this.position, ref: Number(reference[1]) };
    const token = this.#token();
    if (token === "<<") {
      const entries = this.#entries();
      return { start, end: this.position, entries };
    }
    if (token === "[") {
      const items = this.#items();
      return { start, end: this.position, items };
    }
    return { start, end: this.position, token };
  }

  #entries(): PdfEntry[] {
    const entries: PdfEntry[] = [];
    for (;;) {
      this.#take(SPACES);
      const start = this.position;
      const token = this.#token();
      if (token === ">>") return entries;
      if (!token.startsWith("/")) fail();
      entries.push({ key: token.slice(1), start, value: this.#value() });
    }
  }

  #items(): PdfValue[] {
    const items: PdfValue[] = [];
    for (;;) {
      const value = this.#value();
      if (value.token === "]") return items;
      items.push(value);
    }
  }

  #token(): string {
    return this.#take(TOKEN)?.[0] ?? fail();
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match) this.#at = pattern.lastIndex;
    return match;
  }
}

function fail(): never {
  throw new Unfinished();
}
