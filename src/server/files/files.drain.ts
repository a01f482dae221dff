import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_MS = 3000;
/** A client that sends nothing for so long is waiting for the answer. */
const MAX_PAUSE_MS = 500;

/**
 * Reads what is left of a refused request and throws it away, within bounds: many clients look for the answer only
 * once they have sent everything. Whether the end was reached; if not, the connection is of no more use.
 */
export async function drain(request: IncomingMessage): Promise<boolean> {
  if (request.readableEnded) return true;
  const enough = new AbortController();
  const stop = () => enough.abort();
  const total = setTimeout(stop, MAX_MS);
  const pause = setTimeout(stop, MAX_PAUSE_MS);
  let bytes = 0;
  const count = (chunk: Buffer) => {
    pause.refresh();
    bytes += chunk.length;
    if (bytes > MAX_BYTES) stop();
  };
  request.on("data", count);
  request.resume();
  try {
    await finished(request, { signal: enough.signal });
    return true;
  } catch {
    return false;
  } finally {
    request.off("data", count);
    clearTimeout(total);
    clearTimeout(pause);
  }
}
