import pLimit from "p-limit";
import { onPersonalDataCleared } from "#ui/personal-data.ts";
import { randomKey } from "#ui/random-key.ts";
import { trpc } from "#ui/trpc.ts";
import { cacheFile, findCachedFile, removeCachedFile } from "./file-cache.ts";
import { importForPhotos } from "./photo-scripts.ts";
import { type ChosenFiles, type PrintFile, updateFile } from "./print-file.ts";
import { startUpload, stopUpload } from "./running-uploads.ts";
import { clearPhase, setPhase } from "./upload-phases.ts";

/** What is known of a file besides its name and size when it is added. */
type More = Pick<PrintFile, "arePhotos" | "replaces">;

/** Adds files to the list and starts their uploads. */
export function addFiles(chosen: ChosenFiles, picked: readonly File[], more: More = {}): void {
  for (const file of picked) uploadPicked(chosen, addEntry(chosen, file.name, file.size, more), file);
}

/** Photos of one document, so that it can be uploaded and a phone can hold it in memory. */
export const PHOTOS_PER_FILE = 40;
/** Photos whose PDF is not made yet, by key of their document. */
const photosToDo = new Map<string, readonly File[]>();
onPersonalDataCleared(() => photosToDo.clear());
/** A phone has memory for the pixels of one photo at a time. */
const takeTurn = pLimit(1);

const importPages = importForPhotos(() => import("./photo-pages.ts"));

/** Adds a document for these photos, makes its PDF and starts its upload. */
export function addPhotos(chosen: ChosenFiles, photos: readonly File[], more: More = {}): void {
  const entry = addEntry(chosen, nameOfPhotos(photos), sizeOf(photos), { ...more, arePhotos: true });
  uploadPhotos(chosen, entry, photos);
}

function uploadPhotos(chosen: ChosenFiles, entry: PrintFile, photos: readonly File[]): void {
  const { key } = entry;
  photosToDo.set(key, photos);
  startUpload(chosen, entry, async (signal) => {
    const { photosToPdf } = await importPages(signal, () => setPhase(key, { step: "waiting" }));
    setPhase(key, { step: "preparing" });
    const { pdf, readable } = await takeTurn(() => photosToPdf(photos, signal));
    signal.throwIfAborted();
    updateFile(chosen, key, { bytes: pdf.size, name: nameOfPhotos(readable) });
    photosToDo.delete(key);
    void cacheFile(chosen.owner, key, pdf);
    return pdf;
  });
}

/** Uploads the document, or the photos in place of photos, that the student chose for an entry whose bytes are lost. */
export function chooseAgain(chosen: ChosenFiles, entry: PrintFile, picked: [File, ...File[]]): void {
  const [file] = picked;
  const name = entry.arePhotos ? nameOfPhotos(picked) : file.name;
  updateFile(chosen, entry.key, { name, bytes: sizeOf(picked), chosenAt: Date.now(), isApproved: undefined });
  void removeCachedFile(entry.key).then(() => {
    if (entry.arePhotos) uploadPhotos(chosen, { ...entry, name }, picked);
    else uploadPicked(chosen, { ...entry, name }, file);
  });
}

/** Uploads a file again after a failure or a reload. If its bytes are lost, it must be chosen again. */
export function retryUpload(chosen: ChosenFiles, entry: PrintFile): void {
  const photos = photosToDo.get(entry.key);
  if (photos) uploadPhotos(chosen, entry, photos);
  else startUpload(chosen, entry, () => findCachedFile(entry.key));
}

/** Uploads a locked file with its password, which is kept nowhere. */
function unlockFile(chosen: ChosenFiles, entry: PrintFile, password: string): void {
  startUpload(chosen, entry, () => findCachedFile(entry.key), password);
}

/** Takes the file off the list and stops its upload. @returns puts it back in its place and goes on with its upload */
export function takeOff(chosen: ChosenFiles, file: PrintFile): () => void {
  const { key } = file;
  stopUpload(key);
  const putBack = chosen.takeOff(file);
  clearPhase(key);
  return () => {
    putBack();
    if (!file.uploaded && !file.refusal) retryUpload(chosen, file);
  };
}

/** Deletes what this browser has of a file that was taken off the list. */
export function forgetFile(key: string): void {
  photosToDo.delete(key);
  void removeCachedFile(key);
}

/** Moves the file to this place of the list, from 0. */
export function moveFile(chosen: ChosenFiles, key: string, place: number): void {
  chosen.change((files) => {
    const others = files.filter((file) => file.key !== key);
    return others.toSpliced(place, 0, ...files.filter((file) => file.key === key));
  });
}

/** Moves files to the end of another list and stops their uploads; `restoreFiles` goes on with them there. */
export function handOver(from: ChosenFiles, to: ChosenFiles, files: readonly PrintFile[]): void {
  const keys = files.map(({ key }) => key);
  for (const key of keys) stopUpload(key);
  from.change((all) => all.filter(({ key }) => !keys.includes(key)));
  to.change((all) => [...all, ...files]);
}

/** What each list of a student's files does alike, as its rows call it. */
export function useListActions(chosen: ChosenFiles) {
  const {
    client,
    files: { room },
  } = trpc.useUtils();
  const approve = trpc.files.approve.useMutation();
  return {
    /** Deletes a file that was taken off the list, in this browser and in the store. */
    async forget(file: PrintFile): Promise<void> {
      forgetFile(file.key);
      // If this fails, the server deletes the file within a day.
      if (file.uploaded) await client.files.remove.mutate({ id: file.uploaded.id }).catch(() => {});
      await room.invalidate();
    },
    rows: {
      async onApprove(file: PrintFile): Promise<void> {
        if (!file.uploaded) return;
        await approve.mutateAsync({ id: file.uploaded.id });
        updateFile(chosen, file.key, { isApproved: true });
      },
      onRanges: (file: PrintFile, ranges: string) => updateFile(chosen, file.key, { ranges }),
      onRetry: (file: PrintFile) => retryUpload(chosen, file),
      onUnlock: (file: PrintFile, password: string) => unlockFile(chosen, file, password),
    },
  };
}

function uploadPicked(chosen: ChosenFiles, entry: PrintFile, file: File): void {
  void cacheFile(chosen.owner, entry.key, file);
  startUpload(chosen, entry, async () => file);
}

function addEntry(chosen: ChosenFiles, name: string, bytes: number, more: More): PrintFile {
  const entry = { key: randomKey(), name, bytes, uploaded: null, chosenAt: Date.now(), ...more };
  chosen.change((files) => [...files, entry]);
  return entry;
}

function sizeOf(files: readonly File[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

function nameOfPhotos(photos: readonly File[]): string {
  const first = photos[0]?.name.replace(/\.\w+$/, "") ?? "Photo";
  return photos.length > 1 ? `${first} and ${photos.length - 1} more.pdf` : `${first}.pdf`;
}
