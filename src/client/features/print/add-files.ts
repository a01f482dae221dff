import { useEffect } from "react";
import { isDocument } from "#shared/file-formats.ts";
import { counted } from "#shared/format.ts";
import { FAILURE } from "#shared/messages.ts";
import { MAX_FILES, TOO_MANY_FILES } from "#shared/order-limits.ts";
import { takeShared } from "#ui/shared-files.ts";
import { showError } from "../../ui/popup/popup-store.ts";
import { addFiles, addPhotos } from "../files/file-actions.ts";
import type { ChosenFiles } from "../files/print-file.ts";
import { draftFiles, openDraft } from "./draft-store.ts";

/** Adds as many files as fit in one order and starts their uploads; says so if some are left out. */
export function addFittingFiles(chosen: ChosenFiles, picked: readonly File[]): void {
  const room = Math.max(0, MAX_FILES - chosen.list().length);
  addFiles(chosen, picked.slice(0, room));
  if (picked.length > room) refuseRest(picked.length - room);
}

/** The same for this student's draft at a shop whose page is not open yet. */
export function addToDraft(userId: string, shopId: string, picked: readonly File[]): void {
  addFittingFiles(draftFiles(openDraft(userId, shopId), userId), picked);
}

export function refuseRest(left: number, remedy = ""): void {
  showError({
    title: FAILURE.upload,
    text: `${TOO_MANY_FILES}. ${counted(left, "file")} left out.${remedy}`,
  });
}

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
