import type { OwnReprint } from "#server/orders/reprints/reprints.service.ts";
import { type DescribedJobs, describeParts } from "#shared/order-jobs.ts";
import { NO_PAGES, pagesText } from "#shared/print-pages.ts";
import { likelyOriginal } from "#shared/reprints.ts";
import type { ReprintOrderInput } from "#shared/schemas/reprints.ts";
import { type OrderPageData, type PrintFile, summariseUploads } from "../files/print-file.ts";

/**
 * Preselects the order's pages for files with the same name and page count, unless the student has changed them. If
 * a file was in the order more than once, uploads match its parts in order.
 */
export function choosePagesAgain(files: readonly PrintFile[], printed: OwnReprint["files"]): PrintFile[] {
  const left = printed.filter(({ pageRanges }) => pageRanges !== NO_PAGES);
  const take = ({ name, uploaded, ranges }: PrintFile) => {
    const index = left.findIndex(
      (part) =>
        part.name === (uploaded?.name ?? name) &&
        part.pages === uploaded?.pages &&
        (ranges === undefined || ranges === (part.pageRanges ?? "")),
    );
    return index < 0 ? undefined : left.splice(index, 1)[0];
  };
  for (const file of files) if (file.ranges !== undefined) take(file);
  return files.map((file) => {
    const part = file.ranges === undefined ? take(file) : undefined;
    return part ? { ...file, ranges: part.pageRanges ?? "" } : file;
  });
}

/**
 * The page ranges of every file, even if they are all pages, so that the server prints exactly these or refuses.
 */
export function wishedPages(files: readonly OrderPageData[]): ReprintOrderInput["pageRanges"] {
  return files.map(({ id, pages, pageRanges }) => ({ public_id: id, pages: pageRanges ?? `1-${pages}` }));
}

/**
 * What the reprint cannot print as the order did, in words: which pages of a file were in which part is not known any more
 * where it has another number of pages.
 */
export function otherPrinting(
  files: readonly PrintFile[],
  printed: OwnReprint["files"],
  { jobs, quote }: Pick<DescribedJobs, "jobs" | "quote">,
): string[] {
  const parts = describeParts({ files: printed, jobs, quote });
  const uploaded = files.flatMap((file) => (file.uploaded ? [{ name: file.name, ...file.uploaded }] : []));
  return summariseUploads(files).orderPageData.flatMap(({ name, pages, pageRanges }, place) => {
    const original = likelyOriginal(printed, uploaded, place);
    if (!original || original.pages === pages || pageRanges === NO_PAGES) return [];
    const at = printed.indexOf(original);
    const [first, ...others] = parts.filter((_part, job) => jobs[job]?.pageRanges[at] !== NO_PAGES);
    if (!first || others.length === 0) return [];
    return `“${name}” has ${pagesText(pages)} and had ${original.pages}. They are all printed the same: ${first.name}`;
  });
}
