import { showError, showSuccess } from "#client/ui/popup/popup.store.ts";
import { FAILURE, SUCCESS } from "#shared/messages.ts";

let underWay = 0;
let successes = 0;
let failures: string[] = [];

export type UploadOutcome = { ok: true } | { ok: false; message: string } | "cancelled";

/** Counts an upload to the running batch. Once nothing runs any more, a popup says how the whole batch went. */
export async function countInBatch(upload: Promise<UploadOutcome>): Promise<void> {
  underWay += 1;
  const outcome = await upload;
  if (outcome !== "cancelled") {
    if (outcome.ok) successes += 1;
    else failures.push(outcome.message);
  }
  underWay -= 1;
  if (underWay === 0) reportBatch();
}

function reportBatch(): void {
  if (failures.length > 0) void showError({ title: FAILURE.upload, text: toText(failures) });
  if (successes > 0) void showSuccess(SUCCESS.fileUploaded);
  successes = 0;
  failures = [];
}

function toText([first = "", ...others]: string[]): string {
  if (others.length === 0) return first;
  const more = others.length === 1 ? "One more file" : `${others.length} more files`;
  return `${first}. ${more} could not be uploaded; each says why in the list`;
}
