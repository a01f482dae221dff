import type { Procedure } from "#shared/permissions.ts";
import { toHex } from "#ui/random-key.ts";
import type { UploadedPrint } from "./print-file.ts";
import { readUploaded } from "./upload-request.ts";

const FIND_PATH = `/api/trpc/${"files.findUploaded" satisfies Procedure}`;
/** How much later than here the store may have begun to look. */
const LATE_MS = 10_000;

/**
 * The upload of the same content whose answer was lost, if the store has it. Null also where browsers cannot compute a hash
 * (without https) and where the store does not answer.
 * @param sinceMs when it was first sent, by `performance.now`: the same file may wait at another shop
 * @param isTaken whether the file with this id is in the list already: the same file may be chosen twice
 */
export async function findUploaded(
  file: Blob,
  sinceMs: number,
  isTaken: (id: string) => boolean,
): Promise<UploadedPrint | null> {
  try {
    const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
    const sha256 = toHex(new Uint8Array(digest));
    const withinMs = Math.ceil(performance.now() - sinceMs) + LATE_MS;
    const input = encodeURIComponent(JSON.stringify({ sha256, withinMs }));
    const response = await fetch(`${FIND_PATH}?input=${input}`);
    const found: unknown[] = (await response.json()).result.data;
    return found.map(readUploaded).find(({ id }) => !isTaken(id)) ?? null;
  } catch {
    return null;
  }
}
