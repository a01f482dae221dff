import { type DescribedJobs, describeParts } from "#shared/order-jobs.ts";
import { NO_PAGES, pagesText } from "#shared/print-pages.ts";
import { likelyOriginal } from "#shared/reprints.ts";
import { type PrintFile, summariseUploads } from "../files/print-file.ts";
import type { OrderReprintFacts } from "./own-reprint.ts";

/**
 * What the reprint cannot print as the order did, in words: which pages of a file were in which part is not known any more
 * where it has another number of pages.
 */
export function otherPrinting(
  files: readonly PrintFile[],
  printed: OrderReprintFacts["files"],
  { jobs, quote }: Pick<DescribedJobs, "jobs" | "quote">,
): string[] {
  const parts = describeParts({ files: printed, jobs, quote });
  return summariseUploads(files).orderPageData.flatMap(({ name, pages, pageRanges }, place, uploaded) => {
    const original = likelyOriginal(printed, uploaded, place);
    if (!original || original.pages === pages || pageRanges === NO_PAGES) return [];
    const at = printed.indexOf(original);
    const [first, ...others] = parts.filter((_part, job) => jobs[job]?.pageRanges[at] !== NO_PAGES);
    if (!first || others.length === 0) return [];
    return `“${name}” has ${pagesText(pages)} and had ${original.pages}. They are all printed the same: ${first.name}`;
  });
}
