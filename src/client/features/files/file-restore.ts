import pLimit from "p-limit";
import { type ChosenFiles, patchFile } from "./chosen-files.ts";
import { retryUpload } from "./file-actions.ts";
import type { PrintFile, UploadedPrint } from "./print-file.ts";
import { setPhase } from "./upload-phases.ts";

const CHECKS_AT_ONCE = 4;
const DELETED = "The store deletes files that are not ordered within a day. Please choose it again";

/** After a reload: goes on with unfinished uploads, and finds out which uploaded files the store still has. */
export async function restoreFiles(chosen: ChosenFiles): Promise<void> {
  const takeTurn = pLimit(CHECKS_AT_ONCE);
  await Promise.all(chosen.list().map((file) => takeTurn(() => restoreFile(chosen, file))));
}

async function restoreFile(chosen: ChosenFiles, file: PrintFile): Promise<void> {
  if (file.refusal) return;
  if (!file.uploaded) return retryUpload(chosen, file);
  if (await isStored(file.uploaded)) return;
  patchFile(chosen, file.key, { uploaded: null });
  setPhase(file.key, { step: "missing", message: DELETED });
}

/** Only the store's own word counts: a lost connection says nothing about the file. */
async function isStored(uploaded: UploadedPrint): Promise<boolean> {
  try {
    const { status } = await fetch(readingUrl(uploaded), { method: "HEAD" });
    return status !== 404;
  } catch {
    return true;
  }
}

/** Where this page reads an uploaded file: the store may also be reached by another origin than its public one. */
export function readingUrl({ url }: UploadedPrint): string {
  return new URL(url, window.location.href).pathname;
}
