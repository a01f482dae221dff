import { filesOfJob, type OrderJob } from "#shared/order-jobs.ts";
import {
  chosenPagesText,
  commonPages,
  countPages,
  countPrinted,
  type FilePages,
  NO_PAGES,
  pagesText,
  pagesWithout,
  printedPages,
  unitePages,
  writePrinted,
} from "#shared/print-pages.ts";
import { likelyOriginal } from "#shared/reprints.ts";
import type { OrderData } from "#shared/schemas/orders.ts";
import { type AppError, fieldError } from "../../errors.ts";
import type { OwnFile } from "../../files/files.service.ts";
import type { OrderFileRow } from "../orders.queries.ts";
import { type ChosenFile, choosePages } from "../placement/chosen-pages.ts";

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
