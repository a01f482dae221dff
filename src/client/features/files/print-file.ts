import { countPrinted, firstPages } from "#shared/print-pages.ts";
import { choosePages } from "./page-choice.ts";

/** What the store knows of an uploaded file. */
export interface UploadedPrint {
  id: string;
  url: string;
  pages: number;
}

/** A file that the student chose for printing; `bytes` is its size. */
export interface PrintFile {
  key: string;
  name: string;
  bytes: number;
  /** Null until the store has taken it in. */
  uploaded: UploadedPrint | null;
  /** Why the store refused it; only another file or another try helps. */
  refusal?: string | undefined;
  /**
   * The pages to print as the student typed them: all where there is no text, NO_PAGES for none. Undefined until a
   * choice is made.
   */
  ranges?: string | undefined;
}

/** How far a file is that the store has not taken in yet. `share` is what was sent of it, from 0 to 1. */
export type UploadPhase =
  | { step: "preparing" }
  | { step: "queued" }
  | { step: "uploading"; share: number }
  | { step: "counting" }
  | { step: "waiting" }
  | { step: "failed"; message: string }
  | { step: "missing"; message: string };

/** Where a file stands, for its row. */
export type FileState = UploadPhase | { step: "done"; pages: number };

/** The client state `upload` of the contract, which follows from the files. */
export interface UploadSummary {
  /** Pages that were chosen of the files. */
  totalPages: number;
  filesUrl: string[];
  orderPageData: OrderPageData[];
}

/** An uploaded file: how many pages it has, and which of them are printed; null for all, NO_PAGES for none. */
export interface OrderPageData {
  id: string;
  name: string;
  pages: number;
  pageRanges: string | null;
  url: string;
}

/** Of the pages that were chosen of the files, the first `pages` are printed: the same rule as the store's. */
export function summariseUploads(files: readonly PrintFile[], pages: number | "all" = "all"): UploadSummary {
  const chosen = files.flatMap(({ name, uploaded, ranges }) =>
    uploaded ? [{ ...uploaded, name, pageRanges: choosePages(uploaded.pages, ranges).pageRanges }] : [],
  );
  return {
    totalPages: countPrinted(chosen),
    filesUrl: chosen.map(({ url }) => url),
    orderPageData: pages === "all" ? chosen : firstPages(chosen, pages),
  };
}

/** The files with what a number of pages leaves of each as its ranges; a text that is wrong stays to be mended. */
export function keepLimits(files: readonly PrintFile[], pages: number | "all"): PrintFile[] {
  const { orderPageData } = summariseUploads(files, pages);
  return files.map((file) => {
    const printed = orderPageData.find(({ id }) => id === file.uploaded?.id);
    if (!printed) return file;
    const { pageRanges, problem } = choosePages(printed.pages, file.ranges);
    return problem || pageRanges === printed.pageRanges
      ? file
      : { ...file, ranges: printed.pageRanges ?? "" };
  });
}

/** Whether the file is on its way to the store, or will be without the student doing anything. */
export function isUnderWay({ step }: FileState): boolean {
  return step !== "done" && step !== "failed" && step !== "missing";
}

/** What to correct before the files can be ordered; null where nothing is wrong. */
export function findWrongPages(files: readonly PrintFile[]): string | null {
  const wrong = files.find((file) => file.uploaded && choosePages(file.uploaded.pages, file.ranges).problem);
  return wrong ? `Correct the pages to print of “${wrong.name}”` : null;
}
