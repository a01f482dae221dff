/**
 * A PDF may be longer than memory is large, and is read before it is whole: it is written as pieces, one behind the
 * other. Each brings some pages with all that they need, as objects that continue the numbers of the piece before.
 */
export interface Piece {
  path: string;
  /** The bytes of `path` that are the piece; both included. */
  start: number;
  end: number;
  /** Where the objects begin, counted from `start`, in the order of their numbers; null for one that is not there. */
  offsets: (number | null)[];
  /** The numbers of the pages' objects, in the order asked for. */
  pages: number[];
}

export interface PieceRequest {
  /** Where the document is that the pages are taken from. */
  source: string;
  /** Pages of it, counted from 0. */
  pages: readonly number[];
  /** The number of the first object. */
  firstObject: number;
  /** Where the piece is written; nothing is there yet. */
  target: string;
}

/** Takes pages of PDFs out as pieces, away from the server's own thread, with a limit on time and memory. */
export interface PdfCutter {
  /** Begins a new document, whose pieces are written to `folder`. Nothing is cut any more once `signal` aborts. */
  begin(folder: string, signal: AbortSignal): Cutting;
  close(): Promise<void>;
}

export interface Cutting {
  /** The next piece of the new document: pages of the PDF at `source`, counted from 0. Null where it cannot be read. */
  cut(source: string, pages: readonly number[]): Promise<Piece | null>;
}

/** The first objects of a document made of pieces; every page names the second as its parent. */
export const CATALOG_OBJECT = 1;
export const PAGES_OBJECT = 2;
export const INFO_OBJECT = 3;
/** The first number that pieces may use. */
export const FIRST_OBJECT = 4;
