import { counted } from "#shared/format.ts";
import { FAILURE } from "#shared/messages.ts";
import { MAX_FILES, TOO_MANY_FILES } from "#shared/order-limits.ts";
import { showError } from "../../ui/popup/popup-store.ts";
import { addFiles } from "../files/file-actions.ts";
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
