import type { PdfInspection } from "./pdf.inspector.ts";

/** What the worker can be asked to do with the file at `path`, and what each task gives. */
export interface PdfTasks {
  inspect: { input: { path: string }; output: PdfInspection };
}
export type PdfTask = keyof PdfTasks;

/** What a worker is started with. */
export interface PdfWorkerData {
  /** PDFium, compiled once for all workers. */
  module: WebAssembly.Module;
}

export type PdfRequest = { [T in PdfTask]: { task: T; input: PdfTasks[T]["input"] } }[PdfTask];

export type PdfReply =
  | {
      ok: true;
      output: PdfTasks[PdfTask]["output"] /** This worker should do no other task. */;
      worn: boolean;
    }
  /** The document broke the engine; the worker is of no more use. */
  | { ok: false };
