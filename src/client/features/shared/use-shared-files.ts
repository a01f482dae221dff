import { useEffect } from "react";
import { isDocument } from "#shared/file-formats.ts";
import { MAX_FILES } from "#shared/order-limits.ts";
import { takeShared } from "#ui/shared-files.ts";
import { addFiles, addPhotos } from "../files/file-actions.ts";
import type { ChosenFiles } from "../files/print-file.ts";

/** Adds the files that this student shared from another app and chose to print; they upload like any others. */
export function useChosenSharedFiles(chosen: ChosenFiles, isRead: boolean): void {
  useEffect(() => {
    if (!isRead) return;
    takeShared(chosen.owner, MAX_FILES - chosen.list().length).then(
      (files) => addShared(chosen, files),
      () => {},
    );
  }, [chosen, isRead]);
}

function addShared(chosen: ChosenFiles, files: File[]): void {
  addFiles(chosen, files.filter(isDocument));
  const pictures = files.filter((file) => !isDocument(file));
  if (pictures.length > 0) addPhotos(chosen, pictures);
}
