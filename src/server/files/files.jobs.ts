import { MINUTE_MS } from "#shared/durations.ts";
import { rangesOfPages, writePageRanges } from "#shared/print-pages.ts";
import type { Deps } from "../context.ts";
import { AppError } from "../errors.ts";
import { type Job, startJob } from "../lib/jobs.ts";
import { type FileRecord, findFileToCheck, markChecked } from "./files.queries.ts";
import { eraseDeleted, withLease } from "./files.service.ts";
import type { PdfInspector } from "./pdf/inspector.ts";
import { nothingFound, PAGE_FINDINGS, type PageFindings } from "./pdf/page-checks.ts";

const EVERY_MS = MINUTE_MS;

/** Removes the bytes of deleted files, one after the other, and tries every minute again what failed. */
export function startEraser(deps: Pick<Deps, "db" | "files" | "now" | "log" | "closing">): Job {
  return startJob(deps, {
    failure: "deleted files could not be erased",
    everyMs: EVERY_MS,
    run: () => eraseDeleted(deps),
  });
}

/** Checks the pages of uploaded files for colour, blank ones and text at the edge. */
export function startPageChecks(deps: Checker): Job {
  return startJob(deps, {
    failure: "the pages of files could not be checked",
    everyMs: EVERY_MS,
    run: () => checkFiles(deps),
  });
}

/** Pages are checked in slices, between which uploads are inspected. After the last slice the other pages stay unknown. */
const SLICE_MS = 250;
const MAX_SLICES = 20;

type Checker = Pick<Deps, "db" | "readDb" | "files" | "pdf" | "now" | "log">;

/**
 * Checks the pages of every file that was not checked yet, the newest first: its student may be waiting. Ends where the file store
 * or, in a store that stops, the inspector does not answer.
 */
async function checkFiles(deps: Checker): Promise<void> {
  /** Files whose bytes were erased after they were found here. */
  const absent: string[] = [];
  for (;;) {
    const file = await findFileToCheck(deps.readDb, { except: absent, at: deps.now().toISOString() });
    if (!file) return;
    const end = await withLease(deps, { id: file.id, work: "colours" }, () => checkFile(deps, file));
    if (end === "no answer") return;
    if (end === "absent") absent.push(file.id);
  }
}

async function checkFile(deps: Checker, file: FileRecord): Promise<"checked" | "absent" | "no answer"> {
  const found = await lookAt(deps, file);
  if (found === "absent" || found === "no answer") return found;
  await keepFindings(deps, file, found);
  return "checked";
}

function keepFindings({ db }: Checker, { id }: FileRecord, found: PageFindings): Promise<void> {
  const write = (pages: number[]) => writePageRanges(rangesOfPages(pages));
  return markChecked(db, id, {
    colourPages: write(found.coloured),
    checkedPages: found.lastPage,
    blankPages: write(found.blank),
    edgePages: write(found.edge),
  });
}

/** Findings are advisory: a file that cannot be drawn is not tried again, unless what it needs did not answer. */
async function lookAt(
  deps: Checker,
  { id, pages, owner_id: account }: FileRecord,
): Promise<PageFindings | "absent" | "no answer"> {
  try {
    return await deps.files.withLocalFile(id, (path) => checkPages(deps.pdf, { path, pages, account }));
  } catch (error) {
    if (error instanceof AppError && error.code === "NOT_FOUND") return "absent";
    if (error instanceof AppError && error.code === "UNAVAILABLE") return "no answer";
    deps.log.warn({ err: error, fileId: id }, "the pages of a file were not checked");
    return nothingFound(0);
  }
}

/**
 * Looks from the first page on until the last, a page that cannot be drawn, or the end of its time or its account's. A slice
 * that fails says nothing of its pages, so after it each page is asked for alone.
 */
async function checkPages(
  pdf: PdfInspector,
  { path, pages, account }: { path: string; pages: number; account: string },
): Promise<PageFindings> {
  const found = nothingFound(0);
  let limitMs = SLICE_MS;
  for (let slice = 0; slice < MAX_SLICES && found.lastPage < pages; slice++) {
    const part = await pdf.checkPages(path, found.lastPage + 1, limitMs, { account }).catch(nullWhereLimited);
    const isStuck = !part || part.lastPage === found.lastPage;
    if (isStuck && limitMs === 0) break;
    if (isStuck) limitMs = 0;
    else {
      for (const kind of PAGE_FINDINGS) found[kind].push(...part[kind]);
      found.lastPage = part.lastPage;
    }
  }
  return found;
}

function nullWhereLimited(error: unknown): null {
  if (error instanceof AppError && error.code === "RATE_LIMITED") return null;
  throw error;
}
