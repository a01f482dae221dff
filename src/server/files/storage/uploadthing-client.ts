import { createHmac, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createReadStream } from "node:fs";
import { type IncomingMessage, request as plain } from "node:http";
import { request as secure } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import Sqids, { defaultOptions } from "sqids";
import type { UploadThingSettings } from "../../config.ts";
import type { StoredRange } from "./file-store.ts";

/** What the store needs of UploadThing's SDK. */
interface UploadThingClient {
  /** A URL under which so many bytes can be uploaded as this file, which nobody can read without a signature. */
  signUpload(key: string, bytes: number, type: string): string;
  signDownload(key: string): Promise<string>;
  /** Deletes the file; one that is not there counts as deleted. Throws DeletionRefused where others may still be deleted. */
  delete(key: string): Promise<void>;
}

/** An upload may begin, and be taken up again, until then. */
const UPLOAD_SECONDS = 15 * 60;
/** A download begins at once. */
const DOWNLOAD_SECONDS = 60;

/**
 * Loads UploadThing's SDK, which takes 0.3 s and 80 MB. Names and upload URLs are made here instead of by its
 * `uploadFiles`: that makes up a name of 31 bits, of which two files soon have the same, and tells it only once the
 * file is there, too late to find what a crash leaves. UploadThing lets a name end in whatever its app chooses.
 */
export async function createUploadThingClient(
  { token, apiKey, appId, ingestUrl, apiUrl, ufsHost }: UploadThingSettings,
  requestMs: number,
): Promise<UploadThingClient> {
  const { UTApi } = await import("uploadthing/server");
  const api = new UTApi({
    token,
    ingestUrl,
    ...(apiUrl && { apiUrl }),
    // A host of one's own has no subdomain for each app.
    ...(ufsHost && { ufsHost, ufsAppIdLocation: "path" as const }),
    // It would write to the console what the server's own log says.
    logLevel: "None",
    // A redirect would take the API key, which is a header, along to another host.
    fetch: (url, init) => {
      return fetch(url as string, { ...withTimeLimit(init as RequestInit, requestMs), redirect: "error" });
    },
  });
  const prefix = keyPrefixOf(appId);
  /** UploadThing's name for a file of the store. */
  const nameOf = (key: string) => prefix + key;

  return {
    signUpload: (key, bytes, type) =>
      signUploadUrl(`${ingestUrl}/${nameOf(key)}`, apiKey, {
        seconds: UPLOAD_SECONDS,
        data: {
          "x-ut-identifier": appId,
          "x-ut-file-name": key,
          "x-ut-file-size": bytes,
          "x-ut-file-type": type,
          "x-ut-content-disposition": "attachment",
          "x-ut-acl": "private",
        },
      }),
    signDownload: async (key) =>
      (await api.generateSignedURL(nameOf(key), { expiresIn: DOWNLOAD_SECONDS })).ufsUrl,
    async delete(key) {
      const { success } = await api.deleteFiles(nameOf(key)).catch(toRefusal);
      if (!success) throw new DeletionRefused("UploadThing did not delete the file");
    },
  };
}

/** This file is not deleted, while UploadThing answers. */
export class DeletionRefused extends Error {
  override readonly name = "DeletionRefused";
}

/** Answers that are about the app and not about one file: a wrong API key, and too many requests. */
const OF_THE_APP = [401, 403, 429];

/** The SDK's errors have the answer, if there was one. */
function toRefusal(error: { response?: { status?: number } }): never {
  const status = error.response?.status ?? 0;
  const isRefusal = status >= 400 && status < 500 && !OF_THE_APP.includes(status);
  throw isRefusal ? new DeletionRefused(`UploadThing answered ${status}`, { cause: error }) : error;
}

function withTimeLimit(init: RequestInit | undefined, ms: number): RequestInit {
  const limit = AbortSignal.timeout(ms);
  return { ...init, signal: init?.signal ? AbortSignal.any([init.signal, limit]) : limit };
}

interface RemoteRequest {
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
async function sendRequest(
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
function isTransient(error: unknown): boolean {
  return !(error instanceof UnexpectedAnswer) || error.status >= 500;
}

/** Tries once more where it may help. */
async function retryOnce<Result>(attempt: () => Promise<Result>): Promise<Result> {
  return attempt().catch((error: unknown) => {
    if (!isTransient(error)) throw error;
    return attempt();
  });
}

// What UploadThing's documentation calls 'generating presigned URLs'. Its SDK has functions for it, but they are not among
// those that it exports.

/** The beginning of every key of this app's files: the app's id, encoded by Sqids with an alphabet of the app's own. */
export function keyPrefixOf(appId: string): string {
  const alphabet = shuffle(defaultOptions.alphabet, hashOf(appId));
  return new Sqids({ alphabet, minLength: 12 }).encode([Math.abs(hashOf(appId))]);
}

/** A URL that UploadThing takes an upload under, for what `data` says of the file and until the time is over. */
export function signUploadUrl(
  address: string,
  apiKey: string,
  { seconds, data }: { seconds: number; data: Record<string, string | number> },
): string {
  const url = new URL(address);
  url.searchParams.append("expires", String(Date.now() + seconds * 1000));
  // Each value is encoded by itself, before the URL encodes it once more.
  for (const [name, value] of Object.entries(data)) url.searchParams.append(name, encodeURIComponent(value));
  const signature = createHmac("sha256", apiKey).update(url.href).digest("hex");
  url.searchParams.append("signature", `hmac-sha256=${signature}`);
  return url.href;
}

/** Bernstein's hash from the last character on, with the second highest bit lost. */
function hashOf(text: string): number {
  let hash = 5381;
  for (let index = text.length - 1; index >= 0; index--) hash = Math.imul(hash, 33) ^ text.charCodeAt(index);
  return (hash & 0xbfffffff) | ((hash >>> 1) & 0x40000000);
}

/** Swaps every character with another one that `seed`, which may be negative, decides. */
function shuffle(text: string, seed: number): string {
  const characters = [...text];
  for (const index of characters.keys()) {
    const other = ((seed % (index + 1)) + index) % characters.length;
    [characters[index], characters[other]] = [characters[other] as string, characters[index] as string];
  }
  return characters.join("");
}

interface Upload {
  /** A presigned URL. */
  url: string;
  path: string;
  bytes: number;
  /** As the URL has it. */
  type: string;
  pauseMs: number;
  /** Whether a part of it may be there already. */
  isBegun: boolean;
}

/**
 * Sends a file of this machine as the SDK does, but streamed: the SDK's `fetch` holds as much memory as the file is
 * large. An interrupted transfer is resumed once from where it stopped. Throws an Error when it did not arrive.
 */
export async function uploadFrom(upload: Upload): Promise<void> {
  try {
    await put(upload, upload.isBegun ? await bytesThere(upload) : 0);
  } catch (error) {
    if (!isTransient(error)) throw error;
    await put(upload, await bytesThere(upload));
  }
}

async function put({ url, path, bytes, type, pauseMs }: Upload, start: number): Promise<void> {
  const boundary = `part-${randomUUID()}`;
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="file"\r\nContent-Type: ${type}\r\n\r\n`;
  const tail = `\r\n--${boundary}--\r\n`;
  async function* form() {
    yield Buffer.from(head);
    yield* createReadStream(path, { start });
    yield Buffer.from(tail);
  }
  const answer = await sendRequest(url, {
    method: "PUT",
    headers: {
      Range: `bytes=${start}-`,
      "Content-Type": `multipart/form-data; boundary=${boundary}`,
      "Content-Length": head.length + bytes - start + tail.length,
    },
    body: form(),
    pauseMs,
  });
  if (answer.statusCode !== 200) {
    answer.destroy();
    throw new UnexpectedAnswer(answer.statusCode ?? 0);
  }
  for await (const _chunk of answer);
}

/** How much of a broken upload has arrived; nothing where UploadThing does not say. */
async function bytesThere({ url, bytes, pauseMs }: Upload): Promise<number> {
  const answer = await sendRequest(url, { method: "HEAD", pauseMs });
  answer.resume();
  const there = Number(answer.headers["x-ut-range-start"] ?? 0);
  return Number.isInteger(there) && there > 0 && there < bytes ? there : 0;
}

interface Download {
  /** Gives a signed URL, anew for each request. */
  sign(): Promise<string>;
  range?: StoredRange | undefined;
  pauseMs: number;
}

interface Part {
  bytes: number;
  chunks: AsyncIterator<Buffer>;
  body: IncomingMessage;
}

/**
 * Opens a file at UploadThing, or a range of it. What breaks off is asked for once more from there; the stream fails when
 * it breaks off again, and never ends early. Throws an UnexpectedAnswer or what the network threw.
 */
export async function openDownload(download: Download): Promise<Readable> {
  const first = await retryOnce(() => open(download, download.range));
  return Readable.from(wholeBody(download, first), { objectMode: false });
}

async function* wholeBody(download: Download, first: Part): AsyncGenerator<Buffer> {
  const start = download.range?.start ?? 0;
  let part = first;
  let read = 0;
  try {
    while (read < first.bytes) {
      const chunk = await nextChunk(part, download.pauseMs).catch(async (error: unknown) => {
        if (part !== first) throw error;
        part = await open(download, { start: start + read, end: start + first.bytes - 1 });
        return nextChunk(part, download.pauseMs);
      });
      read += chunk.length;
      yield chunk;
    }
  } finally {
    part.body.destroy();
  }
}

async function open({ sign, pauseMs }: Download, range: StoredRange | undefined): Promise<Part> {
  const headers = range && { Range: `bytes=${range.start}-${range.end}` };
  const body = await sendRequest(await sign(), { method: "GET", headers, pauseMs });
  const bytes = Number(body.headers["content-length"]);
  const isAsAsked = body.statusCode === (range ? 206 : 200) && Number.isInteger(bytes);
  if (!isAsAsked) {
    body.destroy();
    throw new UnexpectedAnswer(body.statusCode ?? 0);
  }
  // From here on the reader may rest as long as it likes: only the other side may not.
  body.socket.setTimeout(0);
  return { bytes, chunks: body[Symbol.asyncIterator](), body };
}

async function nextChunk({ chunks, body }: Part, pauseMs: number): Promise<Buffer> {
  const timer = setTimeout(() => body.destroy(new Error(`no byte within ${pauseMs} ms`)), pauseMs);
  try {
    const next = await chunks.next();
    if (next.done) throw new Error("the answer ended early");
    return next.value;
  } finally {
    clearTimeout(timer);
  }
}
