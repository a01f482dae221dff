import { once } from "node:events";
import { type IncomingMessage, request as plain } from "node:http";
import { request as secure } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";

export interface RemoteRequest {
  method: "GET" | "HEAD" | "PUT";
  headers?: Record<string, string | number> | undefined;
  body?: AsyncIterable<Uint8Array>;
  /** How long it may rest without a byte, in ms. */
  pauseMs: number;
}

/** An answer that is not the one that was hoped for. */
export class UnexpectedAnswer extends Error {
  readonly status: number;

  constructor(status: number) {
    super(`UploadThing answered ${status}`);
    this.name = "UnexpectedAnswer";
    this.status = status;
  }
}

/** Sends a request, its body streamed, and gives the answer as soon as its headers are there. */
export async function sendRequest(
  url: string,
  { method, headers, body, pauseMs }: RemoteRequest,
): Promise<IncomingMessage> {
  const open = url.startsWith("https:") ? secure : plain;
  const request = open(url, { method, headers, timeout: pauseMs });
  request.on("timeout", () => request.destroy(new Error(`no byte within ${pauseMs} ms`)));
  // `answered` tells of it; what comes after the answer is told by the answer's own stream.
  request.on("error", () => {});
  const answered = once(request, "response");
  if (body) pipeline(Readable.from(body, { objectMode: false }), request).catch(() => {});
  else request.end();
  const [answer] = await answered;
  return answer;
}

/** Whether it is worth trying again: the line broke, or the other side failed. */
export function mayPass(error: unknown): boolean {
  return !(error instanceof UnexpectedAnswer) || error.status >= 500;
}

/** Tries once more where it may help. */
export async function twice<Result>(attempt: () => Promise<Result>): Promise<Result> {
  return attempt().catch((error: unknown) => {
    if (!mayPass(error)) throw error;
    return attempt();
  });
}
