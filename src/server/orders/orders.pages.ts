import { countPages, readPageRanges, writePageRanges } from "#shared/page-ranges.ts";
import type { OrderData } from "#shared/schemas/orders.ts";
import { AppError } from "../errors.ts";
import type { OwnFile } from "../files/files.service.ts";

/** A file of an order to be, and which of its pages are printed. */
export interface ChosenFile extends OwnFile {
  /** Such as `1-10, 15`; null for all of them. */
  pageRanges: string | null;
  /** How many pages that are. */
  chosenPages: number;
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
    return { ...file, ...(wish ? pagesOf(file, wish) : { pageRanges: null, chosenPages: file.pages }) };
  });
}

function pagesOf({ originalFilename, pages: pageCount }: OwnFile, wish: { index: number; pages: string }) {
  const reading = readPageRanges(wish.pages, pageCount);
  if (!reading.ok) refuse(wish.index, "pages", `Pages to print of “${originalFilename}”: ${reading.message}`);
  const chosenPages = countPages(reading.ranges);
  return { chosenPages, pageRanges: chosenPages < pageCount ? writePageRanges(reading.ranges) : null };
}

function refuse(index: number, field: "public_id" | "pages", message: string): never {
  throw new AppError("INVALID_INPUT", message, {
    issues: [{ path: `orderData.pageRanges.${index}.${field}`, message }],
  });
}

/** Throws INVALID_INPUT when more pages are ordered than were chosen. */
export function checkNoOfPages({ noOfPages }: OrderData, files: ChosenFile[]): void {
  const chosen = sum(files.map(({ chosenPages }) => chosenPages));
  if (noOfPages <= chosen) return;
  const counted = sum(files.map(({ pages }) => pages));
  const have = `The files have ${counted} pages`;
  const limit = chosen < counted ? `${have}, of which you chose ${chosen}` : have;
  const message = `${limit}. The number of pages cannot be more than that`;
  throw new AppError("INVALID_INPUT", message, { issues: [{ path: "orderData.noOfPages", message }] });
}

function sum(counts: number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
