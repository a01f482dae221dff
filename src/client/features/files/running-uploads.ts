import pLimit from "p-limit";
import pRetry from "p-retry";
import { isOfficeFile } from "#shared/file-formats.ts";
import { formatBytes } from "#shared/format.ts";
import { FAILURE, SUCCESS } from "#shared/messages.ts";
import type { Procedure } from "#shared/permissions.ts";
import { quotaProblem, type UploadRoom } from "#shared/upload-quota.ts";
import { isStillOwner, onPersonalDataCleared } from "#ui/personal-data.ts";
import { checkConnection, importOnline, isOffline, untilReachable } from "../../lib/connection.ts";
import { delayNewVersion } from "../../lib/service-worker.ts";
import { showError, showSuccess } from "../../ui/popup/popup-store.ts";
import { removeCachedFile, removeStoredCopy } from "./file-cache.ts";
import { type ChosenFiles, type PrintFile, type UploadedPrint, updateFile } from "./print-file.ts";
import { forgetRemoved } from "./removed-files.ts";
import { clearPhase, refusedPhase, setPhase, type UploadPhase } from "./upload-phases.ts";
import { ConnectionLost, findUploaded, LoginRequired, sendFile, UploadRefusal } from "./upload-request.ts";

const listeners = new Set<() => void>();

/** Calls the listener whenever an upload finds that the session has ended. @returns unsubscribe */
export function onLoginRequired(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function notifyLoginRequired(): void {
  for (const listener of listeners) listener();
}

/** By key of the file. Uploads outlive the screen and continue while the student is on other pages. */
const running = new Map<string, AbortController>();
// An upload uses the present session, so that of another user must stop.
onPersonalDataCleared(() => {
  for (const key of running.keys()) stopUpload(key);
  batch = newBatch();
});

/** Prepares a file's bytes, null if this browser no longer has them; the result is ignored once the signal is aborted. */
type Prepare = (signal: AbortSignal) => Promise<Blob | null>;

/**
 * Prepares the file's bytes and uploads them, with the password of a locked file. Does nothing if the file is already
 * uploading, or if its owner no longer uses this browser.
 */
export function startUpload(
  chosen: ChosenFiles,
  entry: PrintFile,
  prepare: Prepare,
  password?: string,
): void {
  if (running.has(entry.key) || !isStillOwner(chosen.owner)) return;
  const abort = new AbortController();
  running.set(entry.key, abort);
  const outcome = runUpload(chosen, entry, { prepare, password, signal: abort.signal });
  delayNewVersion(outcome);
  void countInBatch(
    outcome.finally(() => {
      // It may have been stopped and started again.
      if (running.get(entry.key) === abort) running.delete(entry.key);
    }),
  );
}

export function stopUpload(key: string): void {
  running.get(key)?.abort();
  running.delete(key);
}

interface UploadTask {
  prepare: Prepare;
  password?: string | undefined;
  signal: AbortSignal;
}

function runUpload(chosen: ChosenFiles, entry: PrintFile, task: UploadTask): Promise<UploadOutcome> {
  const { key } = entry;
  // A tab that only waits for another must not write: its list may be the older one.
  if (isSettled(chosen, key)) updateFile(chosen, key, { refusal: undefined, verdict: undefined });
  setPhase(key, { step: "queued" });
  const sinceMs = performance.now();
  return inOneTab(
    key,
    task.signal,
    (wasBusy) => uploadInTurn(chosen, entry, { ...task, busySinceMs: wasBusy ? sinceMs : undefined }),
    // It was stopped while it waited.
  ).catch(() => "cancelled");
}

/** Records its own errors, so that another tab that waits for this file finds the refusal. */
async function uploadInTurn(
  chosen: ChosenFiles,
  { key, name }: PrintFile,
  { prepare, password, signal, busySinceMs }: UploadTask & Pick<QueuedUpload, "busySinceMs">,
): Promise<UploadOutcome> {
  const onPhase = (phase: UploadPhase) => {
    if (!signal.aborted) setPhase(key, phase);
  };
  try {
    signal.throwIfAborted();
    if (isSettled(chosen, key)) {
      clearPhase(key);
      return "cancelled";
    }
    onPhase({ step: "preparing" });
    const file = await prepareFile(prepare, signal);
    if (!file) {
      onPhase({ step: "missing", message: CHOOSE_AGAIN });
      return "cancelled";
    }
    if (!password && (await isLockedPdf(file))) throw new UploadRefusal(`“${name}” ${LOCKED}`, "locked");
    onPhase({ step: "queued" });
    const isTaken = (id: string) => chosen.list().some((other) => other.uploaded?.id === id);
    const uploaded = await queueUpload({ file, name, password, signal, onPhase, isTaken, busySinceMs });
    // The browser cannot show what was chosen; the copy of the store is a PDF without a password.
    if (password || uploaded.convertedFrom) await removeCachedFile(key);
    updateFile(chosen, key, { uploaded });
    clearPhase(key);
    void removeStoredCopy(key);
    return { ok: true };
  } catch (error) {
    if (signal.aborted) return "cancelled";
    const message = describe(error);
    const verdict = error instanceof UploadRefusal ? error.verdict : undefined;
    setPhase(key, refusedPhase(message, verdict));
    // It is never sent again, and its copy would only fill the device.
    if (verdict === "useless") void removeStoredCopy(key);
    if (error instanceof LoginRequired) notifyLoginRequired();
    else if (!(error instanceof ConnectionLost)) updateFile(chosen, key, { refusal: message, verdict });
    // Its row asks for the password.
    return verdict === "locked" || verdict === "wrong" ? "cancelled" : { ok: false, message };
  }
}

/** Whether another tab has uploaded it, got a refusal, or taken it off the list. */
function isSettled(chosen: ChosenFiles, key: string): boolean {
  const file = chosen.list().find((other) => other.key === key);
  return !file || file.uploaded !== null || file.refusal !== undefined;
}

const CHOOSE_AGAIN = "Your browser no longer has this file. Please choose it again";

const LOCKED = "is password-protected. Enter its password, or remove the password and upload it again";

/** Its errors are final: a photo that cannot be read, say. */
async function prepareFile(prepare: Prepare, signal: AbortSignal): Promise<Blob | null> {
  try {
    return await prepare(signal);
  } catch (error) {
    throw new UploadRefusal(describe(error), "useless");
  }
}

const importDocuments = importOnline(() => import("#ui/pdf/pdf-documents.ts"));

/** The trailer of a PDF, which says whether it is encrypted, is in its last bytes, or in the first of one for the web. */
const TRAILER_BYTES = { first: 4096, last: 64 * 1024 };

/**
 * Whether a PDF needs a password, so that it is asked for before anything is sent. When in doubt the file is sent: the
 * store decides.
 */
async function isLockedPdf(file: Blob): Promise<boolean> {
  try {
    const parts = [file.slice(0, TRAILER_BYTES.first), file.slice(-TRAILER_BYTES.last)];
    if (!(await new Blob(parts).text()).includes("/Encrypt")) return false;
    const { openPdf } = await importDocuments();
    const pdf = await openPdf(file);
    await pdf.loadingTask.destroy();
    return false;
  } catch (error) {
    return (error as Error).name === "PasswordException";
  }
}

/**
 * Two tabs with the same draft upload a file once: the second waits, and finds it uploaded, or goes on when the first is closed.
 * `act` is told whether it had to wait.
 */
async function inOneTab<Result>(
  key: string,
  signal: AbortSignal,
  act: (wasBusy: boolean) => Promise<Result>,
): Promise<Result> {
  // Browsers have locks over https only.
  if (!navigator.locks) return act(false);
  const name = `upload:${key}`;
  const first = await navigator.locks.request(name, { ifAvailable: true }, async (lock) =>
    lock ? { result: await act(false) } : null,
  );
  return first ? first.result : navigator.locks.request(name, { signal }, () => act(true));
}

function describe(error: unknown): string {
  if (error instanceof ConnectionLost) {
    return error.message || "The store cannot be reached. Check your connection and press Retry";
  }
  return error instanceof Error && error.message
    ? error.message
    : "The file could not be uploaded. Please try again";
}

/** The uploads of one student that are reported together. */
let batch = newBatch();

function newBatch() {
  return { underWay: 0, successes: 0, failures: [] as string[] };
}

type UploadOutcome = { ok: true } | { ok: false; message: string } | "cancelled";

/** Adds an upload to the batch. When no upload is running any more, one popup reports the whole batch. */
async function countInBatch(upload: Promise<UploadOutcome>): Promise<void> {
  const own = batch;
  own.underWay += 1;
  const outcome = await upload;
  if (outcome !== "cancelled") {
    if (outcome.ok) own.successes += 1;
    else own.failures.push(outcome.message);
  }
  own.underWay -= 1;
  if (own === batch && own.underWay === 0) reportBatch();
}

function reportBatch(): void {
  const { successes, failures } = batch;
  batch = newBatch();
  if (failures.length > 0) showError({ title: FAILURE.upload, text: toText(failures) });
  if (successes > 0) showSuccess(SUCCESS.fileUploaded);
}

function toText([first = "", ...others]: string[]): string {
  if (others.length === 0) return first;
  const more = others.length === 1 ? "One more file" : `${others.length} more files`;
  return `${first}. ${more} could not be uploaded; the list says why`;
}

const AT_ONCE = 2;
const RETRIES = { retries: 10, minTimeout: 1000, factor: 2, maxTimeout: 30_000, randomize: true };

/** Answers whoever has a session, or a visit at a shop's counter. */
const QUOTA_PATH = `/api/trpc/${"files.room" satisfies Procedure}`;
const takeTurn = pLimit(AT_ONCE);

interface QueuedUpload {
  password: string | undefined;
  file: Blob;
  name: string;
  signal: AbortSignal;
  onPhase: (phase: UploadPhase) => void;
  /** Whether the file with this id is in the list. */
  isTaken: (id: string) => boolean;
  /** Since when another tab may have sent it, by `performance.now`; undefined where none has. */
  busySinceMs: number | undefined;
}

/**
 * Queues an upload; two run at a time. Lost connections are retried with exponential back-off, and wait until the store
 * can be reached; refusals are final. Throws like `sendFile`.
 */
function queueUpload(upload: QueuedUpload): Promise<UploadedPrint> {
  const { signal, onPhase } = upload;
  onPhase({ step: "queued" });
  return takeTurn(() => {
    const sinceMs = upload.busySinceMs ?? performance.now();
    const isFirst = (attempt: number) => attempt === 1 && upload.busySinceMs === undefined;
    return pRetry((attempt) => (isFirst(attempt) ? uploadOnce(upload) : uploadAgain(upload, sinceMs)), {
      ...RETRIES,
      signal,
      shouldRetry: ({ error }) => error instanceof ConnectionLost,
      shouldConsumeRetry: () => checkConnection(),
      onFailedAttempt: async ({ error }) => {
        if (!(error instanceof ConnectionLost)) return;
        onPhase({ step: "waiting" });
        await untilReachable(signal);
      },
    });
  });
}

/** Sends nothing where the store has the file and only its answer was lost. */
async function uploadAgain(upload: QueuedUpload, sinceMs: number): Promise<UploadedPrint> {
  return (await findUploaded(upload.file, sinceMs, upload.isTaken)) ?? (await uploadOnce(upload));
}

async function uploadOnce({ file, name, password, signal, onPhase }: QueuedUpload): Promise<UploadedPrint> {
  if (isOffline()) {
    onPhase({ step: "waiting" });
    await untilReachable(signal);
    signal.throwIfAborted();
  }
  const onProgress = (share: number) =>
    onPhase(
      share < 1 ? { step: "uploading", share } : { step: isOfficeFile({ name }) ? "converting" : "counting" },
    );
  await refuseOverQuota(file, name);
  try {
    onProgress(0);
    return await sendFile(file, name, { password, convert: isOfficeFile({ name }), signal, onProgress });
  } catch (error) {
    if (error instanceof ConnectionLost && !(await isReadable(file))) {
      throw new UploadRefusal(
        "The file changed on your device or is no longer there. Please choose it again",
        "useless",
      );
    }
    throw error;
  }
}

/** Checks the size and the quota before sending the file; a file whose removal can be undone is deleted where its space is needed. */
async function refuseOverQuota(file: Blob, name: string): Promise<void> {
  const findRefusal = async () => {
    const room = await fetchRoom();
    if (room && file.size > room.maxFileBytes) {
      const most = formatBytes(room.maxFileBytes);
      throw new UploadRefusal(`The file is larger than ${most}. Please upload a smaller one`, "useless");
    }
    return room && quotaProblem(name, file.size, room);
  };
  let refusal = await findRefusal();
  if (refusal && (await forgetRemoved())) refusal = await findRefusal();
  if (refusal) throw new UploadRefusal(refusal);
}

/** Null if the check fails: then the file is sent and the server decides. */
async function fetchRoom(): Promise<UploadRoom | null> {
  const answer = await fetch(QUOTA_PATH)
    .then((response) => response.json())
    .catch(() => null);
  const { usedBytes, maxBytes, maxFileBytes }: Partial<UploadRoom> = answer?.result?.data ?? {};
  const isKnown = [usedBytes, maxBytes, maxFileBytes].every((bytes) => typeof bytes === "number");
  return isKnown ? ({ usedBytes, maxBytes, maxFileBytes } as UploadRoom) : null;
}

/** Browsers report a file that changed on disk as a network error. */
async function isReadable(file: Blob): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}
