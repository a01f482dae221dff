import pLimit from "p-limit";
import { isOfficeFile } from "#shared/file-formats.ts";
import type { Procedure } from "#shared/permissions.ts";
import { retryUpload } from "./file-actions.ts";
import { findCachedFile } from "./file-cache.ts";
import { type ChosenFiles, type PrintFile, type UploadedPrint, updateFile } from "./print-file.ts";
import { findPhase, setPhase } from "./upload-phases.ts";

const CHECKS_AT_ONCE = 4;
const KNOWN_PATH = `/api/trpc/${"files.colours" satisfies Procedure}`;
const DELETED = "The store deletes files that are not ordered within a day. Please choose it again";

/** After a reload: continues unfinished uploads, and checks which uploaded files the server still has. */
export async function restoreFiles(chosen: ChosenFiles): Promise<void> {
  const takeTurn = pLimit(CHECKS_AT_ONCE);
  await Promise.all(chosen.list().map((file) => takeTurn(() => restoreFile(chosen, file))));
}

/**
 * Takes part in the uploads of files that another tab adds: whichever tab has the turn uploads them, and the others go on when it
 * is closed.
 */
export function joinUploads(chosen: ChosenFiles): void {
  if (!navigator.locks) return;
  // One with a phase is this tab's own.
  for (const file of chosen.list())
    if (!file.uploaded && !file.refusal && !findPhase(file.key)) retryUpload(chosen, file);
}

async function restoreFile(chosen: ChosenFiles, file: PrintFile): Promise<void> {
  if (file.refusal) return;
  if (!file.uploaded) return retryUpload(chosen, file);
  if (!(await isMissing(file.uploaded))) return;
  updateFile(chosen, file.key, { uploaded: null });
  setPhase(file.key, { step: "missing", message: DELETED });
}

/**
 * Whether the store no longer has the file, and no order had it: whoever lost the answer to that order would choose it again
 * and pay twice. Guests get a 404 for every file, so it says nothing if the session has ended, and neither does a lost
 * connection.
 */
async function isMissing(uploaded: UploadedPrint): Promise<boolean> {
  try {
    const { status } = await fetch(readingUrl(uploaded), { method: "HEAD" });
    if (status !== 404) return false;
    const input = encodeURIComponent(JSON.stringify({ ids: [uploaded.id] }));
    const response = await fetch(`${KNOWN_PATH}?input=${input}`);
    const known: { isOrdered: boolean }[] = (await response.json()).result.data;
    return known.every(({ isOrdered }) => !isOrdered);
  } catch {
    return false;
  }
}

/** Where the pages can be read: from this browser's copy, or from the store. Null for a document that is no PDF yet. */
export async function findPages({ key, name, uploaded }: PrintFile): Promise<Blob | string | null> {
  if (!uploaded && isOfficeFile({ name })) return null;
  return (await findCachedFile(key)) ?? (uploaded && readingUrl(uploaded));
}

/** The file's URL on this page's origin, which may differ from the store's public one. */
function readingUrl({ url }: UploadedPrint): string {
  return new URL(url, window.location.href).pathname;
}
