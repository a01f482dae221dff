import pLimit from "p-limit";
import pRetry from "p-retry";
import { z } from "zod";
import { findNoRoom } from "#shared/upload-room.ts";
import type { UploadedPrint, UploadPhase } from "./print-file.ts";
import { ConnectionLost, sendFile, UploadRefusal } from "./upload-request.ts";

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
export function queueUpload(upload: QueuedUpload): Promise<UploadedPrint> {
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
