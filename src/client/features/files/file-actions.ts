import { cacheFile, findCachedFile, removeCachedFile } from "./file-cache.ts";
import { type ChosenFiles, type PrintFile, updateFile } from "./print-file.ts";
import { randomKey } from "./random-key.ts";
import { startUpload, stopUpload } from "./running-uploads.ts";
import { clearPhase, setPhase } from "./upload-phases.ts";

const CHOOSE_AGAIN = "Your browser no longer has this file. Please choose it again";

/** Adds files to the list and starts their uploads. */
export function addFiles(chosen: ChosenFiles, picked: readonly File[]): void {
  for (const file of picked) uploadPicked(chosen, addEntry(chosen, file.name, file.size), file);
}

/** Adds one document for these photos, makes its PDF and starts its upload. */
export function addPhotos(chosen: ChosenFiles, photos: readonly File[]): void {
  const size = photos.reduce((sum, photo) => sum + photo.size, 0);
  const entry = addEntry(chosen, nameOfPhotos(photos), size);
  startUpload(chosen, entry, async (signal) => {
    const { photosToPdf } = await import("./photo-pages.ts");
    const pdf = await photosToPdf(photos);
    signal.throwIfAborted();
    updateFile(chosen, entry.key, { bytes: pdf.size });
    void cacheFile(chosen.owner, entry.key, pdf);
    return pdf;
  });
}

/** Uploads the file that the student chose for an entry whose bytes are lost. */
export function chooseAgain(chosen: ChosenFiles, entry: PrintFile, file: File): void {
  updateFile(chosen, entry.key, { name: file.name, bytes: file.size, isApproved: undefined });
  void removeCachedFile(entry.key).then(() => uploadPicked(chosen, { ...entry, name: file.name }, file));
}

/** Uploads a file again after a failure or a reload. If its bytes are lost, it must be chosen again. */
export async function retryUpload(chosen: ChosenFiles, entry: PrintFile): Promise<void> {
  const file = await findCachedFile(entry.key);
  if (file) startUpload(chosen, entry, async () => file);
  else setPhase(entry.key, { step: "missing", message: CHOOSE_AGAIN });
}

/** Uploads a locked file with its password, which is kept nowhere. */
export async function unlockFile(chosen: ChosenFiles, entry: PrintFile, password: string): Promise<void> {
  const file = await findCachedFile(entry.key);
  if (file) startUpload(chosen, entry, async () => file, password);
  else setPhase(entry.key, { step: "missing", message: CHOOSE_AGAIN });
}

/** Removes the file from the list and stops its upload. Deleting it on the server is the caller's job. */
export function removeFile(chosen: ChosenFiles, key: string): void {
  stopUpload(key);
  chosen.change((files) => files.filter((file) => file.key !== key));
  clearPhase(key);
  void removeCachedFile(key);
}

/** Moves the file up (-1) or down (1). @returns its new position, from 1 */
export function moveFile(chosen: ChosenFiles, key: string, by: -1 | 1): number {
  const files = chosen.list();
  const from = files.findIndex((file) => file.key === key);
  const to = Math.min(Math.max(from + by, 0), files.length - 1);
  chosen.change((current) => {
    const others = current.filter((file) => file.key !== key);
    return others.toSpliced(to, 0, ...current.filter((file) => file.key === key));
  });
  return to + 1;
}

function uploadPicked(chosen: ChosenFiles, entry: PrintFile, file: File): void {
  void cacheFile(chosen.owner, entry.key, file);
  startUpload(chosen, entry, async () => file);
}

function addEntry(chosen: ChosenFiles, name: string, bytes: number): PrintFile {
  const entry = { key: randomKey(), name, bytes, uploaded: null };
  chosen.change((files) => [...files, entry]);
  return entry;
}

function nameOfPhotos(photos: readonly File[]): string {
  const first = photos[0]?.name.replace(/\.\w+$/, "") ?? "Photo";
  return photos.length > 1 ? `${first} and ${photos.length - 1} more.pdf` : `${first}.pdf`;
}
