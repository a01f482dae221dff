import { mayKeep, onForget } from "#client/lib/personal-data.ts";
import { type FileShelf, patchFile } from "./file-shelf.ts";
import { forgetStoredFile } from "./file-vault.ts";
import { tellLoginNeeded } from "./login-needed.ts";
import type { PrintFile } from "./print-file.ts";
import { countInBatch, type UploadOutcome } from "./upload-batch.ts";
import { clearPhase, setPhase } from "./upload-phases.ts";
import { queueUpload } from "./upload-queue.ts";
import { ConnectionLost, LoginNeeded } from "./upload-request.ts";

interface RunningUpload {
  owner: string;
  abort: AbortController;
}

/** By key of the file. They outlive the screen, so that uploads go on while the student looks elsewhere. */
const running = new Map<string, RunningUpload>();
onForget(() => {
  for (const key of running.keys()) stopUpload(key);
});

/** Makes a file's bytes ready; what it has made when the signal has told it to stop is not wanted any more. */
type Prepare = (signal: AbortSignal) => Promise<Blob>;

/**
 * Makes the file's bytes ready by `prepare` and uploads them. Nothing happens when the file is under way already, or when
 * its owner is no longer the one who uses the browser.
 */
export function startUpload(shelf: FileShelf, entry: PrintFile, prepare: Prepare): void {
  if (running.has(entry.key) || !mayKeep(shelf.owner)) return;
  const abort = new AbortController();
  running.set(entry.key, { owner: shelf.owner, abort });
  const outcome = runUpload(shelf, entry, prepare, abort.signal);
  void countInBatch(outcome.finally(() => running.delete(entry.key)));
}

export function stopUpload(key: string): void {
  running.get(key)?.abort.abort();
  running.delete(key);
}

/** An upload goes under whoever is logged in, so those of someone who no longer is must not go on. */
export function stopUploadsOfOthers(owner: string): void {
  for (const [key, upload] of running) if (upload.owner !== owner) stopUpload(key);
}

async function runUpload(
  shelf: FileShelf,
  { key, name }: PrintFile,
  prepare: Prepare,
  signal: AbortSignal,
): Promise<UploadOutcome> {
  try {
    patchFile(shelf, key, { refusal: undefined });
    setPhase(key, { step: "preparing" });
    const file = await prepare(signal);
    const onPhase = (phase: Parameters<typeof setPhase>[1]) => {
      if (!signal.aborted) setPhase(key, phase);
    };
    const uploaded = await queueUpload({ file, name, signal, onPhase });
    patchFile(shelf, key, { uploaded });
    clearPhase(key);
    void forgetStoredFile(key);
    return { ok: true };
  } catch (error) {
    if (signal.aborted) return "cancelled";
    const message = describe(error);
    setPhase(key, { step: "failed", message });
    if (error instanceof LoginNeeded) tellLoginNeeded();
    else if (!(error instanceof ConnectionLost)) patchFile(shelf, key, { refusal: message });
    return { ok: false, message };
  }
}

function describe(error: unknown): string {
  if (error instanceof ConnectionLost) {
    return error.message || "The store cannot be reached. Check your connection and press Retry";
  }
  return error instanceof Error && error.message
    ? error.message
    : "The file could not be uploaded. Please try again";
}
