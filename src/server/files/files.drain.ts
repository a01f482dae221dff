import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";

const MAX_DRAIN_BYTES = 64 * 1024 * 1024;
const MAX_DRAIN_MS = 3000;

/**
 * Reads what is left of a refused request and throws it away, within bounds: many clients look for the answer only
 * once they have sent everything. Whether the end was reached; if not, the connection is of no more use.
 */
export async function drain(request: IncomingMessage): Promise<boolean> {
  if (request.readableEnded) return true;
  const enough = new AbortController();
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > MAX_DRAIN_BYTES) enough.abort();
  };
  request.on("data", count);
  request.resume();
  const impatience = setTimeout(() => enough.abort(), MAX_DRAIN_MS);
  try {
    await finished(request, { signal: enough.signal });
    return true;
  } catch {
    return false;
  } finally {
    clearTimeout(impatience);
    request.off("data", count);
  }
}
