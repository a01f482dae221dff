export type PdfRefusal = "locked" | "unsupported-security" | "damaged" | "too-many-pages" | "too-complex";

export type PdfInspection = { ok: true; pages: number } | { ok: false; reason: PdfRefusal };

/** Opens PDFs away from the server's own thread, with a limit on time and memory. */
export interface PdfInspector {
  /** Counts the pages of the file at `path` exactly, or says why it can't be printed. Never throws for bad content. */
  inspect(path: string): Promise<PdfInspection>;
  close(): Promise<void>;
}
