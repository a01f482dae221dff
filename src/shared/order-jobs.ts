import { countPrintedOfEach, type FilePages, firstPages } from "./print-pages.ts";
import { type SheetLayout, sidesOf } from "./sheet-layout.ts";

/** One of the jobs that an order consists of; most orders have one. Price, ticket, pack, mails and receipt are made from this list. */
export interface OrderJob extends SheetLayout {
  /** The pages to print of each file of the order, in the format of `FilePages.pageRanges`. */
  pageRanges: (string | null)[];
}

/** One page on each side, as orders of the contract are printed. */
export const PLAIN_LAYOUT: SheetLayout = { pagesPerSide: 1, hasFrames: false };

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
  if (order.jobs !== null) return JSON.parse(order.jobs);
  return [{ ...PLAIN_LAYOUT, pageRanges: agreedFiles(order, files).map(({ pageRanges }) => pageRanges) }];
}

/** One job that prints the chosen pages of these files. */
export function jobOf(files: readonly FilePages[], { pagesPerSide, hasFrames }: SheetLayout): OrderJob {
  return { pagesPerSide, hasFrames, pageRanges: files.map(({ pageRanges }) => pageRanges) };
}

/** These jobs for storing. */
export function writeJobs(jobs: readonly OrderJob[]): string | null {
  const isPlain = jobs.length === 1 && jobs[0]?.pagesPerSide === 1;
  return isPlain ? null : JSON.stringify(jobs);
}

/** The order's files with the pages that this job prints. */
export function filesOfJob<File extends FilePages>(files: readonly File[], job: OrderJob): File[] {
  return files.map((file, at) => ({ ...file, pageRanges: job.pageRanges[at] ?? null }));
}

/** The printed pages of each file, after several were placed on a side: this number is priced. */
export function printedSidesOfEach(files: readonly FilePages[], job: OrderJob): number[] {
  return countPrintedOfEach(filesOfJob(files, job)).map((count) => sidesOf(count, job.pagesPerSide));
}

/** The printed pages of these jobs, for one copy. */
export function countSides(files: readonly FilePages[], jobs: readonly OrderJob[]): number {
  return jobs.flatMap((job) => printedSidesOfEach(files, job)).reduce((sum, count) => sum + count, 0);
}

/** Such as "2 on a side, in frames"; null for one on each side. */
export function layoutText({ pagesPerSide, hasFrames }: SheetLayout): string | null {
  if (pagesPerSide === 1) return null;
  return `${pagesPerSide} on a side${hasFrames ? ", in frames" : ""}`;
}

/** The layout of an order as a fact for screens and mails; empty for one page on each side. */
export function layoutFacts(jobs: readonly SheetLayout[]): { label: string; value: string }[] {
  return jobs.slice(0, 1).flatMap((job) => {
    const value = layoutText(job);
    return value ? [{ label: "Pages of the file", value }] : [];
  });
}
