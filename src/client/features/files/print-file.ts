import { asciiDigits } from "#shared/digits.ts";
import type { OptionKind } from "#shared/options.ts";
import { countPrinted, firstPages, NO_PAGES, readPageRanges, writePrinted } from "#shared/print-pages.ts";
import type { SheetLayout } from "#shared/sheet-layout.ts";

/** What the server returned for an uploaded file. */
export interface UploadedPrint {
  id: string;
  url: string;
  pages: number;
  /** The name that the store gave it; missing in older drafts. */
  name?: string | undefined;
  /** Extension of the document that the store made this PDF of. */
  convertedFrom?: string | undefined;
}

/** "wrong" where a password was sent that does not open the file. */
export const VERDICTS = ["locked", "wrong", "useless"] as const;
export type Verdict = (typeof VERDICTS)[number];

/** Ids of the chosen options by their kind. */
export type OptionChoices = Partial<Record<OptionKind, string>>;

/** A file that the student chose for printing; `bytes` is its size. */
export interface PrintFile {
  key: string;
  name: string;
  bytes: number;
  /** Null until it is uploaded. */
  uploaded: UploadedPrint | null;
  /** Whether the student has said that the converted PDF looks right. */
  isApproved?: boolean | undefined;
  /** Why the server refused it. */
  refusal?: string | undefined;
  /** What follows from the refusal: a locked file needs its password, and a useless one is refused whenever it is sent. */
  verdict?: Verdict | undefined;
  /** When it was chosen, in ms since 1970; missing in older drafts. */
  chosenAt?: number | undefined;
  /** Whether each page of it is a photo. */
  arePhotos?: boolean | undefined;
  /** Id of the file of an order on hold whose place it takes. */
  replaces?: string | undefined;
  /** The typed page ranges: empty for all pages, NO_PAGES for none, undefined until a choice is made. */
  ranges?: string | undefined;
  /** What is chosen for this file alone, in place of what the rest of the order has. */
  own?: OwnPrinting | undefined;
}

export interface OwnPrinting {
  options: OptionChoices;
  layout?: SheetLayout | undefined;
}

/** The client state `upload` of the contract, derived from the files. */
interface UploadSummary {
  /** The number of chosen pages of all files. */
  totalPages: number;
  filesUrl: string[];
  orderPageData: OrderPageData[];
}

/** Pages of an uploaded file, and which of them are printed: null for all, NO_PAGES for none. */
export interface OrderPageData {
  id: string;
  name: string;
  pages: number;
  pageRanges: string | null;
  url: string;
}

/** Longest text of the field; rewritten as ranges it stays within the server's limit. */
export const MAX_TYPED_RANGES = 1000;

/** Which pages of an uploaded file are printed. */
interface PageChoice {
  /** Such as `1-10, 15`; null for all pages, NO_PAGES for none. */
  pageRanges: string | null;
  /** The error in the typed text; until it is corrected, all pages count. */
  problem: string | null;
}

/** Parses the typed ranges of a file with so many pages; empty means all pages, NO_PAGES none. */
export function choosePages(pages: number, ranges = ""): PageChoice {
  if (ranges.trim().toLowerCase() === NO_PAGES) return { pageRanges: NO_PAGES, problem: null };
  const reading = readPageRanges(asciiDigits(ranges), pages);
  if (!reading.ok) return { pageRanges: null, problem: reading.message };
  return { pageRanges: writePrinted(reading.ranges, pages), problem: null };
}

/** Of all chosen pages the first `pages` are printed, by the same rule as on the server. */
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

/**
 * The files with a lowered number of pages turned into page ranges; invalid text stays for the student to correct.
 */
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

/** Whether the store made the PDF and the student has not approved it yet; the server refuses to print it until then. */
export function isUnchecked({ uploaded, isApproved }: PrintFile): boolean {
  return uploaded?.convertedFrom !== undefined && !isApproved;
}

/** What to do first about a file: check a converted one, correct invalid page ranges; null if nothing. */
export function findFileProblem(files: readonly PrintFile[]): string | null {
  return findUnchecked(files) ?? findWrongPages(files);
}

export function findUnchecked(files: readonly PrintFile[]): string | null {
  const unchecked = files.find(isUnchecked);
  return unchecked ? `Check the pages of “${unchecked.name}” first` : null;
}

export function findWrongPages(files: readonly PrintFile[]): string | null {
  const wrong = files.find((file) => file.uploaded && choosePages(file.uploaded.pages, file.ranges).problem);
  return wrong ? `Correct the pages to print of “${wrong.name}”` : null;
}

/** The list of a student's files. */
export interface ChosenFiles {
  /** Id of the user whose files these are. */
  readonly owner: string;
  list(): readonly PrintFile[];
  change(update: (files: readonly PrintFile[]) => PrintFile[]): void;
  /** @returns puts the file back in its place */
  takeOff(file: PrintFile): () => void;
}

export function updateFile(chosen: ChosenFiles, key: string, patch: Partial<PrintFile>): void {
  chosen.change((files) => files.map((file) => (file.key === key ? { ...file, ...patch } : file)));
}
