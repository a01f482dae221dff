import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import { ReadableStream as WebStream } from "node:stream/web";
import { octetInputParser } from "@trpc/server/http";
import type { Context as HonoContext, Next } from "hono";
import { bodyLimit } from "hono/body-limit";
import { overloaded } from "../errors.ts";
import { collectAbandonedGarbage } from "../lib/garbage.ts";
import {
  BODY_MEMORY,
  type BodyLimit,
  MAX_CONCURRENT_UPLOADS,
  MAX_DRAINS,
  MIN_BYTES_PER_SECOND,
  tooLarge,
} from "./limits.ts";
import { Capacity } from "./streams.ts";

interface BodyRules {
  /** The limit of this request's body; null if no call reads it. */
  limitOf: (c: HonoContext) => BodyLimit | null;
  /** The caller's network. */
  addressOf: (c: HonoContext) => string;
}

/** Requests that were ended in favour of newer ones: they get a response, and nothing more of them is read. */
const endedForOthers = new WeakSet<IncomingMessage>();

/**
 * Middleware that refuses a body which is too large for its call, before any of it is read, and bounds what all bodies
 * together hold in memory, for each address and in all. Throws TOO_LARGE, RATE_LIMITED or UNAVAILABLE.
 */
export function limitBodies({ limitOf, addressOf }: BodyRules) {
  const memory = new Capacity({
    address: { max: BODY_MEMORY.address, endsOldest: true },
    all: { max: BODY_MEMORY.all, endsOldest: true },
  });
  const uploads = new Capacity({
    address: { max: MAX_CONCURRENT_UPLOADS.address, endsOldest: false },
    all: { max: MAX_CONCURRENT_UPLOADS.all, endsOldest: false },
  });

  return async (c: HonoContext, next: Next): Promise<Response | undefined> => {
    const { incoming } = c.env;
    const limit = hasBody(incoming) ? limitOf(c) : null;
    if (!limit) {
      await next();
      return;
    }
    const announced = announcedBytes(incoming);
    if (announced !== null && announced > limit.bytes + (limit.frameBytes ?? 0)) throw tooLarge(limit);
    const isStreamed = limit.kind !== "request";
    const bytes = BODY_MEMORY.each + (announced ?? limit.bytes);
    const refused = Promise.withResolvers<never>();
    const release = (isStreamed ? uploads : memory).take({
      amount: isStreamed ? 1 : bytes,
      keys: { address: addressOf(c), all: "" },
      mayEnd: () => !incoming.complete,
      end() {
        endedForOthers.add(incoming);
        collectAbandonedGarbage(bytes);
        refused.reject(overloaded());
      },
    });
    if (!release) throw overloaded();
    try {
      const answer = announced === null && !isStreamed ? countChunks(limit)(c, next) : next();
      return (await Promise.race([answer, refused.promise])) as Response | undefined;
    } finally {
      release();
    }
  };
}

/** Null for a chunked body. */
function announcedBytes({ headers }: IncomingMessage): number | null {
  return headers["transfer-encoding"] === undefined ? Number(headers["content-length"]) : null;
}

function countChunks(limit: BodyLimit) {
  return bodyLimit({
    maxSize: limit.bytes,
    onError: () => {
      throw tooLarge(limit);
    },
  });
}

/** A request with neither of these headers has no body. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

/**
 * Middleware for requests that are still being sent when their response is ready. The response goes out at once with
 * `Connection: close`, and the rest of the request is then read and discarded: many clients read a response only after they have
 * sent everything, and would lose it if the connection were closed before. Node's adapter itself reads on for 500 ms only.
 */
export function respondEarly({ addressOf }: Pick<BodyRules, "addressOf">) {
  const drains = new Capacity({
    address: { max: MAX_DRAINS.address, endsOldest: true },
    all: { max: MAX_DRAINS.all, endsOldest: true },
  });
  return async (c: HonoContext, next: Next): Promise<void> => {
    await next();
    const { incoming } = c.env;
    if (incoming.complete) return;
    const answer = new Uint8Array(await c.res.arrayBuffer());
    const headers = new Headers(c.res.headers);
    headers.set("Connection", "close");
    headers.set("Content-Length", String(answer.length));
    const address = addressOf(c);
    async function* respondThenDrain() {
      yield answer;
      const release = drains.take({ keys: { address, all: "" }, end: () => incoming.destroy() });
      await drain(incoming);
      release?.();
    }
    const body = endedForOthers.has(incoming) ? answer : WebStream.from(respondThenDrain());
    c.res = new Response(body as BodyInit, { status: c.res.status, headers });
  };
}

/** Reads for as long as the body keeps its minimum speed; `Capacity` ends the oldest when there are too many. */
async function drain(request: IncomingMessage): Promise<void> {
  // A reader would keep what arrives, or pause the request again.
  request.removeAllListeners("data");
  request.resume();
  await finished(request).catch(() => {});
}

/**
 * Ends a request whose body arrives too slowly for `pauseMs`, or up to twice that. It works on Node's server because Hono sees
 * neither a stalled request whose response is finished, nor the bytes of its socket.
 */
export function endSlowRequests(server: Server, pauseMs: number): void {
  const leastBytes = (MIN_BYTES_PER_SECOND * pauseMs) / 1000;
  server.prependListener("request", (request: IncomingMessage, response: ServerResponse) => {
    if (!hasBody(request)) return;
    const { socket } = request;
    let seen = socket.bytesRead;
    const watch = setInterval(() => {
      if (request.complete) return clearInterval(watch);
      if (socket.bytesRead - seen < leastBytes) request.destroy();
      seen = socket.bytesRead;
    }, pauseMs);
    watch.unref();
    request.once("close", () => clearInterval(watch));
    // Otherwise Node keeps what it has received of a request that was answered before it was complete.
    response.once("close", () => {
      if (!socket.writable) request.destroy();
    });
  });
}

/**
 * Gives every request a listener for errors. Node emits the error of an aborted request a tick after it has found a listener; without
 * one by then the error is uncaught and ends the process.
 */
export function ignoreAborts(server: Server): void {
  server.prependListener("request", (request: IncomingMessage) => request.on("error", () => {}));
}

/** Input of an upload call: a tRPC client's bytes arrive as a stream. */
export const uploadBody: {
  _input: Blob | Uint8Array | ReadableStream<Uint8Array>;
  _output: ReadableStream<Uint8Array>;
  parse(input: unknown): ReadableStream<Uint8Array>;
} = octetInputParser;
