import type { OwnReprint } from "#server/orders/reprints/reprints.service.ts";
import { NO_PAGES } from "#shared/print-pages.ts";
import type { ReprintState } from "#shared/reprints.ts";
import type { ReprintOrderInput } from "#shared/schemas/reprints.ts";
import type { OrderPageData, PrintFile } from "../files/print-file.ts";

export type OrderReprintFacts = OwnReprint;
export type OwnReport = NonNullable<OwnReprint["report"]>;

/** What the state of a report means to the student. */
export const REPORT_TEXTS: Record<ReprintState, string> = {
  reported: "You reported a printing error. The shop will answer here and by email.",
  accepted:
    "The shop accepted a free reprint. Please add your files again: they were deleted after printing.",
  declined: "The shop declined the reprint.",
  ordered: "The shop is printing it again, free of charge.",
};

/**
 * Preselects the order's pages for files with the same name and page count, unless the student has changed them. If
 * a file was in the order more than once, uploads match its parts in order.
 */
export function choosePagesAgain(files: readonly PrintFile[], printed: OwnReprint["files"]): PrintFile[] {
  const left = printed.filter(({ pageRanges }) => pageRanges !== NO_PAGES);
  const take = ({ name, uploaded, ranges }: PrintFile) => {
    const index = left.findIndex(
      (part) =>
        part.name === name &&
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
