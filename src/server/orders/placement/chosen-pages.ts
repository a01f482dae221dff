import { counted } from "#shared/format.ts";
import { filesOfJob, type OrderJob, PLAIN_LAYOUT } from "#shared/order-jobs.ts";
import {
  chosenPagesText,
  commonPages,
  countPages,
  countPrinted,
  type FilePages,
  firstPages,
  NO_PAGES,
  type PageRanges,
  pagesText,
  pagesWithout,
  printedPages,
  readPageRanges,
  unitePages,
  writePrinted,
} from "#shared/print-pages.ts";
import { likelyOriginal } from "#shared/reprints.ts";
import type { OrderData, PlaceOrderInput } from "#shared/schemas/orders.ts";
import { layoutOf } from "#shared/sheet-layout.ts";
import { type AppError, fieldError } from "../../errors.ts";
import type { OwnFile } from "../../files/files.service.ts";
import type { OrderFileRow } from "../orders.queries.ts";

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
          `Some of these pages of “${file.originalFilename}” are not printed, or are in another part`,
        );
      }
      left[at] = pagesWithout(free, wished.pages);
      return wished.pages;
    });
    return { ...wish, pages, path };
  });
  const jobs = [{ ...(wishes[0] ?? PLAIN_LAYOUT), pages: left, path: pathOfJob(0) }, ...others];
  return jobs.map(({ pages, path, ...layout }) => {
    if (pages.every((ranges) => ranges.length === 0))
      throw fieldError(path, "This part has no page to print");
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

/**
 * The jobs of the original for the files of its reprint. The same file, or one that looks like it, is divided among them as it was;
 * pages that no job printed before go to the first job that printed their file.
 */
export function jobsAgain(
  jobs: readonly OrderJob[],
  printed: OrderFileRow[],
  files: ChosenFile[],
): OrderJob[] {
  const again = jobs.map((job): OrderJob => ({ ...job, pageRanges: files.map(() => NO_PAGES) }));
  for (const [place, file] of files.entries()) {
    const same = originalsOf(files, place, printed);
    const isAlike = same.every(({ pages }) => pages === file.pages);
    const shares = jobs.map((job) =>
      unitePages(
        filesOfJob(printed, job)
          .filter(({ id }) => same.some((each) => each.id === id))
          .map(printedPages),
      ),
    );
    const first = Math.max(
      0,
      shares.findIndex((share) => share.length > 0),
    );
    let left = printedPages(file);
    for (const [at, job] of again.entries()) {
      if (at === first || !isAlike) continue;
      const share = commonPages(left, shares[at] ?? []);
      left = pagesWithout(left, share);
      job.pageRanges[place] = writePrinted(share, file.pages);
    }
    const rest = again[first];
    if (rest) rest.pageRanges[place] = writePrinted(left, file.pages);
  }
  return again;
}

/** The files of the original that an uploaded one stands for: those with its content, or else the likely one. */
function originalsOf(
  files: readonly ChosenFile[],
  place: number,
  printed: readonly OrderFileRow[],
): OrderFileRow[] {
  const same = entriesOf(files, place, printed);
  if (same.length > 0) return same;
  const uploaded = files.map(({ originalFilename: name, pages }) => ({ name, pages }));
  const likely = likelyOriginal(printed, uploaded, place);
  return likely ? [likely] : [];
}

/**
 * The pages to print again. For a file of the original order: its printed pages, or some of them. For another file, which
 * may be the same document saved again: the chosen pages. In total no more than the original order.
 */
export function choosePagesAgain(
  uploaded: OwnFile[],
  printed: readonly OrderFileRow[],
  pageRanges: OrderData["pageRanges"],
): ChosenFile[] {
  const files = choosePages(uploaded, pageRanges).map((file, index, all) => {
    const wished = pageRanges?.some(({ public_id: id }) => id === file.id);
    const same = printed.filter(({ sha256 }) => sha256 === file.sha256);
    return wished
      ? requirePrinted(file, same)
      : { ...file, ...pagesOf(file, entriesOf(all, index, printed)) };
  });
  const chosen = countPrinted(files);
  if (chosen === 0) throw wrongFiles("The order printed no page of these files");
  const ordered = countPrinted(printed);
  if (chosen <= ordered) return files;
  throw wrongFiles(
    `The order had ${pagesText(ordered)}, and these are ${chosen}. Please choose no more than were ordered`,
  );
}

/**
 * The entries of the original with the content of an uploaded file. An order may contain a file several times with different pages:
 * each upload stands for the next entry, the last upload for all remaining ones.
 */
function entriesOf(
  files: readonly ChosenFile[],
  index: number,
  printed: readonly OrderFileRow[],
): OrderFileRow[] {
  const isSame = ({ sha256 }: { sha256: string }) => sha256 === files[index]?.sha256;
  const same = printed.filter(isSame);
  const place = files.slice(0, index).filter(isSame).length;
  const isLast = !files.slice(index + 1).some(isSame);
  const part = isLast ? same.slice(place) : same.slice(place, place + 1);
  return part.length > 0 ? part : same;
}

/** The printed pages of all these entries of one file; all pages if there is no entry. */
function pagesOf({ pages }: ChosenFile, entries: readonly FilePages[]): FilePages {
  if (entries.length === 0) return { pages, pageRanges: null };
  return { pages, pageRanges: writePrinted(unitePages(entries.map(printedPages)), pages) };
}

/** The file with its chosen pages. Throws INVALID_INPUT for a page that the original order did not print. */
function requirePrinted(file: ChosenFile, same: readonly FilePages[]): ChosenFile {
  const before = pagesOf(file, same);
  const wished = printedPages(file);
  if (countPages(commonPages(wished, printedPages(before))) === countPages(wished)) return file;
  throw wrongFiles(
    `Of “${file.originalFilename}” the order had ${chosenPagesText(before)}. Choose among those`,
  );
}

export function wrongFiles(message: string): AppError {
  return fieldError("filesUrl", message);
}
