import pLimit from "p-limit";
import pRetry from "p-retry";
import { z } from "zod";
import { FAILURE, SUCCESS } from "#shared/messages.ts";
import { findNoRoom } from "#shared/upload-room.ts";
import { isStillOwner, onPersonalDataCleared } from "#ui/personal-data.ts";
import { showError, showSuccess } from "../../ui/popup/popup.store.ts";
import { type ChosenFiles, patchFile } from "./chosen-files.ts";
import { removeStoredCopy } from "./file-cache.ts";
import { notifyLoginNeeded } from "./login-needed.ts";
import type { PrintFile, UploadedPrint, UploadPhase } from "./print-file.ts";
import { clearPhase, setPhase } from "./upload-phases.ts";
import { ConnectionLost, LoginNeeded, sendFile, UploadRefusal } from "./upload-request.ts";

interface RunningUpload {
  owner: string;
  abort: AbortController;
}

/** By key of the file. They outlive the screen, so that uploads go on while the student looks elsewhere. */
const running = new Map<string, RunningUpload>();
onPersonalDataCleared(() => {
  for (const key of running.keys()) stopUpload(key);
});

/** Makes a file's bytes ready; what it has made when the signal has told it to stop is not wanted any more. */
type Prepare = (signal: AbortSignal) => Promise<Blob>;

/**
 * Makes the file's bytes ready by `prepare` and uploads them. Nothing happens when the file is under way already, or when
 * its owner is no longer the one who uses the browser.
 */
export function startUpload(chosen: ChosenFiles, entry: PrintFile, prepare: Prepare): void {
  if (running.has(entry.key) || !isStillOwner(chosen.owner)) return;
  const abort = new AbortController();
  running.set(entry.key, { owner: chosen.owner, abort });
  const outcome = runUpload(chosen, entry, prepare, abort.signal);
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
  chosen: ChosenFiles,
  { key, name }: PrintFile,
  prepare: Prepare,
  signal: AbortSignal,
): Promise<UploadOutcome> {
  try {
    patchFile(chosen, key, { refusal: undefined });
    setPhase(key, { step: "preparing" });
    const file = await prepare(signal);
    const onPhase = (phase: Parameters<typeof setPhase>[1]) => {
      if (!signal.aborted) setPhase(key, phase);
    };
    const uploaded = await queueUpload({ file, name, signal, onPhase });
    patchFile(chosen, key, { uploaded });
    clearPhase(key);
    void removeStoredCopy(key);
    return { ok: true };
  } catch (error) {
    if (signal.aborted) return "cancelled";
    const message = describe(error);
    setPhase(key, { step: "failed", message });
    if (error instanceof LoginNeeded) notifyLoginNeeded();
    else if (!(error instanceof ConnectionLost)) patchFile(chosen, key, { refusal: message });
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

let underWay = 0;
let successes = 0;
let failures: string[] = [];

type UploadOutcome = { ok: true } | { ok: false; message: string } | "cancelled";

/** Counts an upload to the running batch. Once nothing runs any more, a popup says how the whole batch went. */
async function countInBatch(upload: Promise<UploadOutcome>): Promise<void> {
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
  return `${first}. ${more} could not be uploaded; the list says why`;
}

const AT_ONCE = 2;
const RETRIES = { retries: 10, minTimeout: 1000, factor: 2, maxTimeout: 30_000, randomize: true };

const ROOM_PATH = "/api/trpc/files.room";
const roomAnswer = z.object({
  result: z.object({ data: z.object({ usedBytes: z.number(), maxBytes: z.number() }) }),
});

const takeTurn = pLimit(AT_ONCE);

interface QueuedUpload {
  file: Blob;
  name: string;
  signal: AbortSignal;
  onPhase: (phase: UploadPhase) => void;
}

/**
 * Uploads a file when its turn comes, two at a time. A lost connection is tried again with growing pauses, and
 * waits for as long as the device is offline; a refusal is not tried again. Throws as `sendFile` does.
 */
function queueUpload(upload: QueuedUpload): Promise<UploadedPrint> {
  const { signal, onPhase } = upload;
  onPhase({ step: "queued" });
  return takeTurn(() =>
    pRetry(() => uploadOnce(upload), {
      ...RETRIES,
      signal,
      shouldRetry: ({ error }) => error instanceof ConnectionLost,
      shouldConsumeRetry: () => navigator.onLine,
      onFailedAttempt: async ({ error }) => {
        if (!(error instanceof ConnectionLost)) return;
        onPhase({ step: "waiting" });
        await untilOnline(signal);
      },
    }),
  );
}

async function uploadOnce({ file, name, signal, onPhase }: QueuedUpload): Promise<UploadedPrint> {
  const onProgress = (share: number) =>
    onPhase(share < 1 ? { step: "uploading", share } : { step: "counting" });
  await refuseWithoutRoom(file, name);
  try {
    onProgress(0);
    return await sendFile(file, name, { signal, onProgress });
  } catch (error) {
    if (error instanceof ConnectionLost && !(await isReadable(file))) {
      throw new UploadRefusal(
        "The file changed on your device or is no longer there. Please choose it again",
      );
    }
    throw error;
  }
}

/** Spares the sending of a file that the store has no room for; where the store does not say, it is sent. */
async function refuseWithoutRoom(file: Blob, name: string): Promise<void> {
  if (!navigator.onLine) return;
  const answer = await fetch(ROOM_PATH)
    .then((response) => response.json())
    .catch(() => null);
  const room = roomAnswer.safeParse(answer).data?.result.data;
  const refusal = room && findNoRoom(name, file.size, room);
  if (refusal) throw new UploadRefusal(refusal);
}

/** A browser reports a file that changed under it like a lost connection. */
async function isReadable(file: Blob): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}

function untilOnline(signal: AbortSignal): Promise<void> {
  if (navigator.onLine || signal.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      window.removeEventListener("online", done);
      signal.removeEventListener("abort", done);
      resolve();
    };
    window.addEventListener("online", done);
    signal.addEventListener("abort", done);
  });
}
