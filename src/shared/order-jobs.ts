import { counted, formatCount } from "./format.ts";
import { OPTION_FIELDS, OPTION_KINDS } from "./options.ts";
import type { JobQuote } from "./pricing.ts";
import {
  countPages,
  countPrintedOfEach,
  type FilePages,
  firstPages,
  NO_PAGES,
  pagesText,
  printedPages,
  writePageRanges,
} from "./print-pages.ts";
import { layoutOf, type SheetLayout, sidesOf } from "./sheet-layout.ts";

/**
 * One of the jobs that an order consists of: pages that are printed with the same options. Most orders have one. Price, ticket,
 * pack, mails and receipt are made from this list. No page is in two of them.
 */
export interface OrderJob extends SheetLayout {
  /** The pages to print of each file of the order, in the format of `FilePages.pageRanges`. */
  pageRanges: (string | null)[];
}

/** What a job takes, as it was agreed. */
type JobCounts = Omit<JobQuote, "lines">;

/** One page on each side, as orders of the contract are printed. */
export const PLAIN_LAYOUT: SheetLayout = { pagesPerSide: 1, hasFrames: false, isBooklet: false };

/** What an order stores about its jobs; `jobs` is JSON, and null for a single one in the plain layout. */
interface StoredJobs {
  pages: number;
  jobs: string | null;
}

/** The files of an order with the pages that it prints of them. */
export function agreedFiles<File extends FilePages>({ pages, jobs }: StoredJobs, files: File[]): File[] {
  return jobs === null ? firstPages(files, pages) : files;
}

/** The jobs of an order; `files` are its files in printing order. */
export function agreedJobs(order: StoredJobs, files: FilePages[]): OrderJob[] {
  if (order.jobs === null) return [jobOf(agreedFiles(order, files), PLAIN_LAYOUT)];
  const stored: OrderJob[] = JSON.parse(order.jobs);
  return stored.map((job) => ({ ...layoutOf(job), pageRanges: job.pageRanges }));
}

/** What each job of an order takes. */
export function agreedCounts(order: StoredJobs & { sides: number; sheets: number }): JobCounts[] {
  const { pages, sides, sheets } = order;
  if (order.jobs === null) return [{ pages, sides, sheets }];
  const stored: JobCounts[] = JSON.parse(order.jobs);
  return stored.map(({ pages, sides, sheets }) => ({ pages, sides, sheets }));
}

/** One job that prints the chosen pages of these files. */
export function jobOf(files: readonly FilePages[], layout: SheetLayout): OrderJob {
  return { ...layoutOf(layout), pageRanges: files.map(({ pageRanges }) => pageRanges) };
}

/** These jobs for storing. */
export function writeJobs(jobs: readonly OrderJob[], counts: readonly JobCounts[]): string | null {
  const isPlain = jobs.length === 1 && jobs[0]?.pagesPerSide === 1;
  if (isPlain) return null;
  return JSON.stringify(
    jobs.map((job, at) => {
      const { pages, sides, sheets } = counts[at] ?? { pages: 0, sides: 1, sheets: 0 };
      return { ...job, pages, sides, sheets };
    }),
  );
}

/** Whether some file has pages in several of these jobs. */
export function areFilesDivided(jobs: readonly OrderJob[]): boolean {
  const printed = jobs.flatMap(({ pageRanges }) =>
    pageRanges.flatMap((pages, file) => (pages === NO_PAGES ? [] : [file])),
  );
  return new Set(printed).size < printed.length;
}

/** The order's files with the pages that this job prints. */
export function filesOfJob<File extends FilePages>(files: readonly File[], job: OrderJob): File[] {
  return files.map((file, at) => ({ ...file, pageRanges: job.pageRanges[at] ?? null }));
}

/** The printed pages of each file, after several were placed on a side: this number is priced. */
export function printedSidesOfEach(files: readonly FilePages[], job: OrderJob): number[] {
  return countPrintedOfEach(filesOfJob(files, job)).map((count) => sidesOf(count, job));
}

/** The printed pages of these jobs, for one copy. */
export function countSides(files: readonly FilePages[], jobs: readonly OrderJob[]): number {
  return jobs.flatMap((job) => printedSidesOfEach(files, job)).reduce((sum, count) => sum + count, 0);
}

interface Printed {
  files: readonly FilePages[];
  jobs: readonly OrderJob[];
}

/** What a job has more than it had, such as "Part 2 of 2 had 1 page, and now has 90"; null where none has. */
export function grownJobText(before: Printed, after: Printed): string | null {
  const counts = ({ files, jobs }: Printed) => jobs.map((job) => countSides(files, [job]));
  const [had, has] = [counts(before), counts(after)];
  const at = had.findIndex((count, index) => (has[index] ?? 0) > count);
  if (at < 0) return null;
  const name = had.length > 1 ? partTitle(at, had.length) : "The order";
  return `${name} had ${pagesText(had[at] ?? 0)}, and now has ${formatCount(has[at] ?? 0)}`;
}

/** Why this layout cannot be printed on so many sides of a sheet; null if it can. */
export function layoutProblem({ isBooklet }: SheetLayout, sides: number): string | null {
  return isBooklet && sides !== 2 ? "A booklet is printed on both sides: choose that, or no booklet" : null;
}

/** Such as "4 on a side, in frames, read down"; null for one on each side. */
export function layoutText({ pagesPerSide, hasFrames, isBooklet, readsDown }: SheetLayout): string | null {
  if (isBooklet) return "Booklet, fold in the middle, flip on short edge";
  if (pagesPerSide === 1) return null;
  return [`${pagesPerSide} on a side`, hasFrames && "in frames", readsDown && "read down"]
    .filter(Boolean)
    .join(", ");
}

/** A line of a summary, such as "Paper: A4". */
export interface Fact {
  label: string;
  value: string;
}

type NamedFile = FilePages & { name: string };
/** The chosen options of a job. */
export type ChosenNames = readonly Pick<JobQuote["lines"][number], "kind" | "name">[];

/** What is printed, for describing it to people. */
export interface DescribedJobs {
  files: readonly NamedFile[];
  jobs: readonly OrderJob[];
  quote: { jobs: readonly (Pick<JobQuote, "pages" | "sheets"> & { lines: ChosenNames })[] };
}

/** A job of an order that has several, in words. */
interface PartText {
  /** Such as "Part 1 of 2". */
  title: string;
  /** What the parts differ in, such as "Colour, 2 on a side". */
  name: string;
  pages: number;
  sheets: number;
  files: { name: string; pages: string }[];
}

/** Layout and options that all jobs of an order have; empty for what its parts differ in. */
export function commonFacts({ jobs, quote }: Pick<DescribedJobs, "jobs" | "quote">): Fact[] {
  const parts = quote.jobs.map(factsOf(jobs));
  const [first = []] = parts;
  return first.filter((fact) => parts.every((facts) => facts.some((other) => isSame(fact, other))));
}

/** How many pages of the files an order has, and on how many sides of paper, where several share one. */
export function pagesFact(pages: number, sides: number): Fact {
  const value = pages === sides ? formatCount(pages) : `${formatCount(pages)}, on ${counted(sides, "side")}`;
  return { label: "Number of pages", value };
}

/** The jobs of an order that has several; empty for a single one, about which `commonFacts` says everything. */
export function describeParts(order: DescribedJobs): PartText[] {
  const { files, jobs, quote } = order;
  if (jobs.length < 2) return [];
  const names = partNames(
    jobs,
    quote.jobs.map(({ lines }) => lines),
  );
  return jobs.map((job, at) => ({
    title: partTitle(at, jobs.length),
    name: names[at] ?? "",
    pages: quote.jobs[at]?.pages ?? 0,
    sheets: quote.jobs[at]?.sheets ?? 0,
    files: filesOfJob(files, job).flatMap((file) => {
      const pages = partPages(file);
      return pages === null ? [] : [{ name: file.name, pages }];
    }),
  }));
}

/**
 * The parts of an order as facts, such as "Colour: Thesis.pdf, pages 3, 7. Prints 2 pages × 3 copies on 6 sheets": the pages are
 * those of one copy, the sheets those of all.
 */
export function partFacts(order: DescribedJobs & { copies: number }): Fact[] {
  const each = order.copies > 1 ? ` × ${counted(order.copies, "copy")}` : "";
  return describeParts(order).map(({ title, name, pages, sheets, files }) => ({
    label: title,
    value: `${name && `${name}: `}${files.map((file) => `${file.name}, ${file.pages}`).join("; ")}. Prints ${pagesText(pages)}${each} on ${counted(sheets, "sheet")}`,
  }));
}

export function partTitle(at: number, of: number): string {
  return `Part ${at + 1} of ${of}`;
}

/** A part as the person who prints it chooses it. */
export interface PartToPrint {
  /** What the parts differ in, such as "Colour". */
  name: string;
  pages: number;
}

/**
 * The parts of an order that has several; empty for others.
 * @param lines the options of each job
 */
export function partsToPrint(jobs: string | null, lines: readonly ChosenNames[]): PartToPrint[] {
  if (jobs === null || lines.length < 2) return [];
  const stored: (SheetLayout & JobCounts)[] = JSON.parse(jobs);
  const names = partNames(stored, lines);
  return stored.map(({ pages }, at) => ({ name: names[at] ?? "", pages }));
}

/** What each part of an order differs in, such as "Colour, 2 on a side". */
export function partNames(jobs: readonly SheetLayout[], lines: readonly ChosenNames[]): string[] {
  const parts = lines.map((ofJob) => ({ lines: ofJob })).map(factsOf(jobs));
  return parts.map((facts) =>
    facts
      .filter((fact) => parts.some((others) => !others.some((other) => isSame(fact, other))))
      .map(({ value }) => value)
      .join(", "),
  );
}

function factsOf(jobs: readonly SheetLayout[]) {
  return ({ lines }: { lines: ChosenNames }, at: number): Fact[] => {
    const layout = layoutText(jobs[at] ?? PLAIN_LAYOUT);
    return [...(layout ? [{ label: LAYOUT_LABEL, value: layout }] : []), ...optionFacts(lines)];
  };
}

/** The label of the layout among the facts of a job. */
export const LAYOUT_LABEL = "Pages of the file";

function optionFacts(lines: ChosenNames): Fact[] {
  return lines
    .toSorted((one, other) => OPTION_KINDS.indexOf(one.kind) - OPTION_KINDS.indexOf(other.kind))
    .map(({ kind, name }) => ({ label: OPTION_FIELDS[kind].label, value: name }));
}

function isSame(one: Fact, other: Fact): boolean {
  return one.label === other.label && one.value === other.value;
}

/** The pages of a file in one part: "all 19 pages" or "pages 3, 7"; null for none. */
function partPages(file: FilePages): string | null {
  const printed = printedPages(file);
  const count = countPages(printed);
  if (count === 0) return null;
  if (count === file.pages) return count === 1 ? "1 page" : `all ${pagesText(count)}`;
  return `${count === 1 ? "page" : "pages"} ${writePageRanges(printed)}`;
}
