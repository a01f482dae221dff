import { readPageRanges } from "#shared/page-ranges.ts";
import { countPrinted, firstPages, NO_PAGES, writePrinted } from "#shared/print-pages.ts";
import type { OrderData } from "#shared/schemas/orders.ts";
import { AppError } from "../errors.ts";
import type { OwnFile } from "../files/files.service.ts";

/** A file of an order to be, and which of its pages are printed. */
export interface ChosenFile extends OwnFile {
  /** Such as `1-10, 15`; null for all of them, NO_PAGES for none. */
  pageRanges: string | null;
}

/**
 * Chooses the pages of each file as the order says, by the server's own counts. Throws INVALID_INPUT for pages that a
 * file does not have, and for a file that is not in the order or is named twice.
 */
export function choosePages(files: OwnFile[], pageRanges: OrderData["pageRanges"] = []): ChosenFile[] {
  const named = new Map<string, { index: number; pages: string }>();
  for (const [index, { public_id: id, pages }] of pageRanges.entries()) {
    if (!files.some((file) => file.id === id)) refuse(index, "public_id", "This file is not in the order");
    if (named.has(id)) refuse(index, "public_id", "The pages of this file are given twice");
    named.set(id, { index, pages });
  }
  return files.map((file) => {
    const wish = named.get(file.id);
    return { ...file, pageRanges: wish ? rangesOf(file, wish) : null };
  });
}

/** What was wished, written out; null where that is every page, NO_PAGES where it is none. */
function rangesOf(
  { originalFilename, pages: pageCount }: OwnFile,
  wish: { index: number; pages: string },
): string | null {
  if (wish.pages === NO_PAGES) return NO_PAGES;
  const reading = readPageRanges(wish.pages, pageCount);
  if (!reading.ok) refuse(wish.index, "pages", `Pages to print of “${originalFilename}”: ${reading.message}`);
  return writePrinted(reading.ranges, pageCount);
}

function refuse(index: number, field: "public_id" | "pages", message: string): never {
  throw new AppError("INVALID_INPUT", message, {
    issues: [{ path: `orderData.pageRanges.${index}.${field}`, message }],
  });
}

/** The first `noOfPages` of the chosen pages. Throws INVALID_INPUT when more are ordered than were chosen. */
export function takeFirstPages(files: ChosenFile[], { noOfPages }: OrderData): ChosenFile[] {
  const chosen = countPrinted(files);
  if (noOfPages <= chosen) return firstPages(files, noOfPages);
  const counted = files.reduce((sum, { pages }) => sum + pages, 0);
  const have = `The files have ${counted} pages`;
  const limit = chosen < counted ? `${have}, of which you chose ${chosen}` : have;
  const message = `${limit}. The number of pages cannot be more than that`;
  throw new AppError("INVALID_INPUT", message, { issues: [{ path: "orderData.noOfPages", message }] });
}
