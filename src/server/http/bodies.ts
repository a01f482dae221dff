import type { IncomingMessage, Server, ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import { ReadableStream as WebStream } from "node:stream/web";
import type { HttpBindings } from "@hono/node-server";
import { octetInputParser } from "@trpc/server/http";
import type { Context as HonoContext, Next } from "hono";
import { bodyLimit } from "hono/body-limit";
import { AppError } from "../errors.ts";
import { collectAbandoned } from "../lib/garbage.ts";
import { Capacity } from "./capacity.ts";
import {
  BODY_MEMORY,
  type BodyLimit,
  DRAINS_AT_ONCE,
  LEAST_BYTES_A_SECOND,
  tooLarge,
  UPLOADS_AT_ONCE,
} from "./limits.ts";

/** So long after the bodies before it have made room. */
const RETRY_AFTER_SECONDS = 5;

interface BodyRules {
  /** What the body of this request may be; null where nobody will read it. */
  limitOf: (c: HonoContext) => BodyLimit | null;
  /** The caller's network. */
  addressOf: (c: HonoContext) => string;
}

/** Requests that gave way to others: they are answered, and no more of them is read. */
const gaveWay = new WeakSet<IncomingMessage>();

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
    address: { max: UPLOADS_AT_ONCE.address, endsOldest: false },
    all: { max: UPLOADS_AT_ONCE.all, endsOldest: false },
  });

  return async (c: HonoContext, next: Next): Promise<Response | undefined> => {
    const { incoming } = c.env as HttpBindings;
    const limit = hasBody(incoming) ? limitOf(c) : null;
    if (!limit) {
      await next();
      return;
    }
    const announced = announcedBytes(incoming);
    if (announced !== null && announced > limit.bytes + (limit.frameBytes ?? 0)) throw tooLarge(limit);
    const isStreamed = limit.kind !== "request";
    const bytes = BODY_MEMORY.each + (announced ?? limit.bytes);
    const turnedAway = Promise.withResolvers<never>();
    const release = (isStreamed ? uploads : memory).take({
      amount: isStreamed ? 1 : bytes,
      keys: { address: addressOf(c), all: "" },
      mayEnd: () => !incoming.complete,
      end() {
        gaveWay.add(incoming);
        collectAbandoned(bytes);
        turnedAway.reject(tooMany());
      },
    });
    if (!release) throw tooMany();
    try {
      const answer = announced === null && !isStreamed ? countChunks(limit)(c, next) : next();
      return (await Promise.race([answer, turnedAway.promise])) as Response | undefined;
    } finally {
      release();
    }
  };
}

/** A body in chunks does not say how long it is. */
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

/** Without one of these headers a request is whole once its headers are. */
function hasBody({ headers }: IncomingMessage): boolean {
  return headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
}

function tooMany(): AppError {
  return new AppError("UNAVAILABLE", "The store has too much to do at the moment. Please try again shortly", {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

/**
 * Middleware that answers a request which is still being sent: the answer goes out at once and says that the connection
 * ends with it, and what is left of the request is then read and thrown away. Were the connection closed under a sending
 * client, it could lose the answer, as many look for it only once they have sent everything.
 */
export function answerEarly({ addressOf }: Pick<BodyRules, "addressOf">) {
  const drains = new Capacity({
    address: { max: DRAINS_AT_ONCE.address, endsOldest: true },
    all: { max: DRAINS_AT_ONCE.all, endsOldest: true },
  });
  return async (c: HonoContext, next: Next): Promise<void> => {
    await next();
    const { incoming } = c.env as HttpBindings;
    if (incoming.complete) return;
    const answer = new Uint8Array(await c.res.arrayBuffer());
    const headers = new Headers(c.res.headers);
    headers.set("Connection", "close");
    headers.set("Content-Length", String(answer.length));
    const address = addressOf(c);
    async function* answerThenDrain() {
      yield answer;
      const release = drains.take({ keys: { address, all: "" }, end: () => incoming.destroy() });
      await drain(incoming);
      release?.();
    }
    const body = gaveWay.has(incoming) ? answer : WebStream.from(answerThenDrain());
    c.res = new Response(body as BodyInit, { status: c.res.status, headers });
  };
}

/** Reads on for as long as it comes with the least speed of bodies; where too many are read so, the oldest ends. */
async function drain(request: IncomingMessage): Promise<void> {
  // Whoever read it would keep what comes, or pause it again.
  request.removeAllListeners("data");
  request.resume();
  await finished(request).catch(() => {});
}

/** Ends a request of which too little has come for `pauseMs`, up to twice that, before it was whole. */
export function endSlowRequests(server: Server, pauseMs: number): void {
  const leastBytes = (LEAST_BYTES_A_SECOND * pauseMs) / 1000;
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
    // By itself Node keeps what has come of a request that was answered before it was whole.
    response.once("close", () => {
      if (!socket.writable) request.destroy();
    });
  });
}

/** The body of an upload: what a tRPC client sends as bytes arrives as a stream, as the REST adapter's does. */
export const uploadBody: {
  _input: Blob | Uint8Array | ReadableStream<Uint8Array>;
  _output: ReadableStream<Uint8Array>;
  parse(input: unknown): ReadableStream<Uint8Array>;
} = octetInputParser;
