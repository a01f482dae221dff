import { useEffect } from "react";
import { isDocument } from "#shared/file-formats.ts";
import { MAX_FILES } from "#shared/order-limits.ts";
import { takeShared } from "#ui/shared-files.ts";
import { addFiles, addPhotos } from "../files/file-actions.ts";
import type { ChosenFiles } from "../files/print-file.ts";
import { refuseRest } from "../print/add-files.ts";

/**
 * Adds the files that this student shared from another app and chose to print; they upload like any others. Says how many of
 * them the list has no room for.
 */
export function useChosenSharedFiles(chosen: ChosenFiles, isRead: boolean): void {
  useEffect(() => {
    if (!isRead) return;
    takeShared(chosen.owner, Math.max(0, MAX_FILES - chosen.list().length)).then(
      ({ taken, waiting }) => {
        addShared(chosen, taken);
        if (waiting.length > 0)
          refuseRest(waiting.length, " Remove some files and reload this page to add what you shared.");
      },
      () => {},
    );
  }, [chosen, isRead]);
}

function addShared(chosen: ChosenFiles, files: File[]): void {
  addFiles(chosen, files.filter(isDocument));
  const pictures = files.filter((file) => !isDocument(file));
  if (pictures.length > 0) addPhotos(chosen, pictures);
}
