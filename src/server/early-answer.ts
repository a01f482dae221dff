import type { IncomingMessage } from "node:http";
import { finished } from "node:stream/promises";
import { ReadableStream as WebStream } from "node:stream/web";
import type { HttpBindings } from "@hono/node-server";
import type { Context as HonoContext, Next } from "hono";

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_MS = 10_000;
/** A client that sends nothing for so long has read its answer or is gone. */
const MAX_PAUSE_MS = 2000;

/**
 * Middleware for calls that are answered while the client still sends: the answer goes out at once and says that the
 * connection ends with it, and what is left of the request is then read and thrown away, within bounds. Were the
 * connection closed under a sending client, it could lose the answer, as many look for it only once they have sent
 * everything; were it kept, it would be closed later on under the next request.
 */
export async function answerEarly(c: HonoContext, next: Next): Promise<void> {
  await next();
  const { incoming } = c.env as HttpBindings;
  if (incoming.complete) return;
  const answer = new Uint8Array(await c.res.arrayBuffer());
  const headers = new Headers(c.res.headers);
  headers.set("Connection", "close");
  headers.set("Content-Length", String(answer.length));
  const body = WebStream.from(answerThenDrain(answer, incoming)) as ReadableStream<Uint8Array>;
  c.res = new Response(body, { status: c.res.status, headers });
}

async function* answerThenDrain(answer: Uint8Array, request: IncomingMessage): AsyncGenerator<Uint8Array> {
  yield answer;
  await drain(request);
}

async function drain(request: IncomingMessage): Promise<void> {
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
  // Whoever read it as a web stream would pause it again: nobody takes from that stream any more.
  request.removeAllListeners("data");
  request.on("data", count);
  request.resume();
  await finished(request, { signal: enough.signal }).catch(() => {});
  request.off("data", count);
  clearTimeout(total);
  clearTimeout(pause);
}
