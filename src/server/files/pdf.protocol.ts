export type PdfRefusal =
  | "locked"
  | "unsupported-security"
  | "damaged"
  | "too-many-pages"
  | "hidden-layers"
  | "too-complex";

export type PdfInspection = { ok: true; pages: number } | { ok: false; reason: PdfRefusal };

/** What was found in a run of pages. Pages are counted from 1. */
export interface PdfColours {
  /** Pages that hold colour, ascending. */
  coloured: number[];
  /** The last page that was looked at; the one before the first where none was. */
  lastPage: number;
}

/** What the worker can be asked to do with a file, and what each task gives. */
export interface PdfTasks {
  /**
   * Counts pages, and tries whether all of them can be copied for print. Gives up as too complex after `limitMs` for the one
   * and `copyMs` for the other, if no single page keeps it for longer.
   */
  inspect: { input: { path: string; limitMs?: number; copyMs?: number }; output: PdfInspection };
  /** SHA-256 in hex. */
  digest: { input: { path: string }; output: string };
  /** Looks for colour from a page on, counted from 1, until `limitMs` have passed; at one page at least. */
  findColours: { input: { path: string; firstPage: number; limitMs: number }; output: PdfColours };
  /**
   * Adds pages, counted from 0, to a print copy, and gives how many that has then, which may be fewer than were asked for;
   * null where it cannot be done.
   */
  copyPages: { input: { path: string; pages: number[]; target: string }; output: number | null };
}
export type PdfTask = keyof PdfTasks;

/** What a worker is started with. */
export interface PdfWorkerData {
  /** PDFium, compiled once for all workers. */
  module: WebAssembly.Module;
  /** Whether people wait for what it does. */
  isUrgent: boolean;
  /** What a document may take of memory; more is refused. */
  heapMb: number;
}

export type PdfRequest<T extends PdfTask = PdfTask> = T extends PdfTask
  ? { task: T; input: PdfTasks[T]["input"] }
  : never;

/** What any of the tasks gives. */
export type PdfOutput = PdfTasks[PdfTask]["output"];
