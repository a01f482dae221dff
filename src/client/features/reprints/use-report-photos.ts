import { useState } from "react";
import { MAX_PHOTO_BYTES, PHOTO_TOO_LARGE } from "#shared/photos.ts";
import { MAX_REPORT_PHOTOS } from "#shared/reprints.ts";
import { randomKey } from "../files/random-key.ts";
import { sendPhoto } from "./send-photo.ts";

/** A photo as it is being added. */
export interface ReportPhoto {
  key: string;
  name: string;
  /** Null until the store has it. */
  id: string | null;
}

/** The photos of a report that is being written: each is sent at once. */
export function useReportPhotos() {
  const [photos, setPhotos] = useState<ReportPhoto[]>([]);
  const [problem, setProblem] = useState<string | null>(null);

  function remove(key: string): void {
    setPhotos((all) => all.filter((photo) => photo.key !== key));
  }

  async function send(file: File): Promise<void> {
    const key = randomKey();
    setPhotos((all) => [...all, { key, name: file.name, id: null }]);
    try {
      const id = await sendPhoto(file);
      setPhotos((all) => all.map((photo) => (photo.key === key ? { ...photo, id } : photo)));
    } catch (error) {
      remove(key);
      setProblem(`“${file.name}”: ${(error as Error).message}`);
    }
  }

  function add(files: File[]): void {
    const room = MAX_REPORT_PHOTOS - photos.length;
    const [tooLarge] = files.filter(isTooLarge);
    if (tooLarge) setProblem(`“${tooLarge.name}” ${PHOTO_TOO_LARGE}`);
    else setProblem(files.length > room ? `At most ${MAX_REPORT_PHOTOS} photos can be added` : null);
    for (const file of files.filter((one) => !isTooLarge(one)).slice(0, room)) void send(file);
  }

  const ids = photos.flatMap(({ id }) => (id === null ? [] : [id]));
  return { photos, ids, isSending: ids.length < photos.length, problem, add, remove };
}

function isTooLarge({ size }: File): boolean {
  return size > MAX_PHOTO_BYTES;
}
