import { counted } from "#shared/format.ts";
import { type OrderJob, PLAIN_LAYOUT } from "#shared/order-jobs.ts";
import {
  commonPages,
  countPages,
  countPrinted,
  firstPages,
  NO_PAGES,
  type PageRanges,
  pagesWithout,
  printedPages,
  readPageRanges,
  writePrinted,
} from "#shared/print-pages.ts";
import type { OrderData, PlaceOrderInput } from "#shared/schemas/orders.ts";
import { layoutOf } from "#shared/sheet-layout.ts";
import { fieldError } from "../../errors.ts";
import type { OwnFile } from "../../files/files.service.ts";

/** A job as a client asks for it. */
export type JobWish = NonNullable<PlaceOrderInput["jobs"]>[number];

/** A file of an order that is being placed, with the pages to print. */
export interface ChosenFile extends OwnFile {
  /** Such as `1-10, 15`; null for all, NO_PAGES for none. */
  pageRanges: string | null;
}

/**
 * Chooses the pages of each file by the order's page ranges and the server's own page counts. Throws INVALID_INPUT for pages
 * that a file does not have, and for a file that is not in the order or is named twice.
 */
export function choosePages(files: OwnFile[], pageRanges: OrderData["pageRanges"] = []): ChosenFile[] {
  const named = readWishes(files, pageRanges, "orderData.pageRanges");
  return files.map((file) => {
    const wish = named.get(file.id);
    return { ...file, pageRanges: wish ? writePrinted(wish.pages, file.pages) : null };
  });
}

/** The pages that a client names of some files, by file. `path` is where they stand in the request. */
function readWishes(
  files: readonly OwnFile[],
  pageRanges: NonNullable<OrderData["pageRanges"]>,
  path: string,
): Map<string, { pages: PageRanges; path: string }> {
  const named = new Map<string, { pages: PageRanges; path: string }>();
  for (const [index, { public_id: id, pages }] of pageRanges.entries()) {
    const place = `${path}.${index}`;
    const file = files.find((known) => known.id === id);
    if (!file) throw fieldError(`${place}.public_id`, "This file is not in the order");
    if (named.has(id)) throw fieldError(`${place}.public_id`, "The pages of this file are given twice");
    named.set(id, { pages: readWish(file, pages, `${place}.pages`), path: `${place}.pages` });
  }
  return named;
}

function readWish({ originalFilename, pages: pageCount }: OwnFile, pages: string, path: string): PageRanges {
  if (pages === NO_PAGES) return [];
  const reading = readPageRanges(pages, pageCount);
  if (reading.ok) return reading.ranges;
  throw fieldError(path, `Pages to print of “${originalFilename}”: ${reading.message}`);
}

/**
 * The jobs of an order: those after the first print the pages that they name, and the first the others. Throws INVALID_INPUT for a
 * page that the order does not print or that is in two jobs, and for a job without a page.
 */
export function divideIntoJobs(files: ChosenFile[], wishes: JobWish[]): OrderJob[] {
  const left = files.map(printedPages);
  const others = wishes.slice(1).map((wish, index) => {
    const path = pathOfJob(index + 1);
    const named = readWishes(files, wish.pageRanges ?? [], `${path}.pageRanges`);
    const pages = files.map((file, at) => {
      const wished = named.get(file.id);
      const free = left[at] ?? [];
      if (!wished) return [];
      if (countPages(commonPages(wished.pages, free)) < countPages(wished.pages)) {
        throw fieldError(
          wished.path,
          `Some of these pages of “${file.originalFilename}” are not printed, or are in another job`,
        );
      }
      left[at] = pagesWithout(free, wished.pages);
      return wished.pages;
    });
    return { ...wish, pages, path };
  });
  const jobs = [{ ...(wishes[0] ?? PLAIN_LAYOUT), pages: left, path: pathOfJob(0) }, ...others];
  return jobs.map(({ pages, path, ...layout }) => {
    if (pages.every((ranges) => ranges.length === 0)) throw fieldError(path, "This job has no page to print");
    const pageRanges = files.map((file, at) => writePrinted(pages[at] ?? [], file.pages));
    return { ...layoutOf(layout), pageRanges };
  });
}

/** Where a job stands in the request. */
export function pathOfJob(at: number): string {
  return `jobs.${at}`;
}

/** The first `noOfPages` of the chosen pages. Throws INVALID_INPUT if fewer were chosen. */
export function takeFirstPages(files: ChosenFile[], { noOfPages }: OrderData): ChosenFile[] {
  const chosen = countPrinted(files);
  if (noOfPages <= chosen) return firstPages(files, noOfPages);
  const total = files.reduce((sum, { pages }) => sum + pages, 0);
  const have = `The files have ${counted(total, "page")}`;
  const limit = chosen < total ? `${have}, of which you chose ${chosen}` : have;
  throw fieldError("orderData.noOfPages", `${limit}. The number of pages cannot be more than that`);
}
