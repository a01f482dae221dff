import { createHash, createHmac, timingSafeEqual } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { finished, pipeline } from "node:stream/promises";
import { verifyKey } from "@uploadthing/shared";
import busboy from "busboy";
import { runSync } from "effect/Micro";
import parseRange from "range-parser";

/** A file as UploadThing stores it. */
export interface RemoteFile {
  /** The path of its bytes on this machine. */
  path: string;
  /** The size that the upload announced. */
  size: number;
  /** The number of bytes that have arrived. */
  arrived: number;
  type: string;
  acl: string;
  disposition: string;
  name: string;
}

/** One app at the emulated UploadThing. */
export interface RemoteApp {
  readonly apiKey: string;
  readonly appId: string;
  readonly origin: string;
  /** The folder with the bytes of its files. */
  readonly folder: string;
  /** By UploadThing's file key. */
  readonly files: Map<string, RemoteFile>;
}

/**
 * How a request breaks midway: its connection is cut, or its bytes stop; or what was uploaded is not what is stored, a range
 * is answered with the whole file, or a deletion says that it did not succeed.
 */
export type Break = "cut" | "stall" | "garble" | "whole" | "refuse";

export interface Exchange {
  app: RemoteApp;
  request: IncomingMessage;
  response: ServerResponse;
  /** How the request is to break, if at all. */
  breaks: Break | undefined;
}

/** Responds with an error in UploadThing's JSON format and discards the rest of the request. */
export function refuse({ request, response }: Exchange, status: number, message: string): void {
  request.resume();
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ error: message }));
}

const SIGNATURE = /[?&]signature=hmac-sha256(?:=|%3D)([0-9a-f]{64})$/i;

/** Why a signed URL is invalid; null for a valid one. The signature is at its end and covers the rest. */
export function faultOfSignature(url: string, apiKey: string, now = Date.now()): string | null {
  const given = SIGNATURE.exec(url);
  if (!given?.[1]) return "No signature";
  const signed = url.slice(0, given.index);
  const expected = createHmac("sha256", apiKey).update(signed).digest();
  if (!timingSafeEqual(expected, Buffer.from(given[1], "hex"))) return "Wrong signature";
  const expires = Number(new URL(signed).searchParams.get("expires"));
  if (!Number.isInteger(expires) || expires <= 0) return "No time of expiry";
  return expires > now ? null : "Expired";
}

/** How many bytes of an upload arrive before its connection is cut. */
const CUT_AFTER = 100_000;

/** `PUT /KEY`: the bytes of a file, or the rest of them, as a multipart form. */
export async function receiveUpload(exchange: Exchange): Promise<void> {
  const { app, request, response, breaks } = exchange;
  const promise = readPromise(app, request);
  if (typeof promise === "string") return refuse(exchange, 400, promise);
  const { key, ...promised } = promise;
  const file = app.files.get(key) ?? { ...promised, arrived: 0 };
  if (file.arrived === file.size) return refuse(exchange, 409, "The file is there already");
  if (request.headers.range !== `bytes=${file.arrived}-`) return refuse(exchange, 416, "Not where it ended");
  if (!(Number(request.headers["content-length"]) > 0)) return refuse(exchange, 411, "No length");
  app.files.set(key, file);
  const fault = await takeForm(request, file, breaks === "cut");
  if (breaks === "cut") return void request.destroy();
  if (breaks === "stall") return;
  if (fault) {
    app.files.delete(key);
    return refuse(exchange, 400, fault);
  }
  if (breaks === "garble") await writeFile(file.path, Buffer.alloc(file.size));
  const ufsUrl = `${app.origin}/a/${app.appId}/${key}`;
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ url: ufsUrl, appUrl: ufsUrl, ufsUrl, fileHash: await md5Of(file.path) }));
}

/** `HEAD /KEY`: how many bytes of an upload have arrived. */
export async function answerProgress({ app, request, response }: Exchange): Promise<void> {
  const promise = readPromise(app, request);
  if (typeof promise === "string") return void response.writeHead(400).end();
  const arrived = app.files.get(promise.key)?.arrived ?? 0;
  response.writeHead(200, { "x-ut-range-start": String(arrived) }).end();
}

/** The file properties in the signed URL of an upload; a string is the reason for refusing it. */
function readPromise(
  { origin, apiKey, appId, folder }: RemoteApp,
  request: IncomingMessage,
): (Omit<RemoteFile, "arrived"> & { key: string }) | string {
  const url = new URL(request.url ?? "", origin);
  const fault = faultOfSignature(url.href, apiKey);
  if (fault) return fault;
  // The SDK encodes each value once more before the URL does.
  const value = (name: string) => decodeURIComponent(url.searchParams.get(`x-ut-${name}`) ?? "");
  const key = url.pathname.slice(1);
  if (value("identifier") !== appId || !runSync(verifyKey(key, appId))) return "Not a key of this app";
  const size = Number(value("file-size"));
  if (!Number.isInteger(size) || size <= 0) return "No size";
  if (!value("file-name")) return "No name";
  const acl = value("acl") || "public-read";
  if (acl !== "private" && acl !== "public-read") return "No such ACL";
  const [type, disposition, name] = [value("file-type"), value("content-disposition"), value("file-name")];
  return { key, path: join(folder, key), size, type, acl, disposition, name };
}

/**
 * Appends the form's file to the stored one; returns what is wrong with it, if anything. The request stays open for the
 * answer.
 */
async function takeForm(request: IncomingMessage, file: RemoteFile, isCut: boolean): Promise<string | null> {
  let fault: string | null = "No file in the form";
  const form = busboy({ headers: request.headers });
  const taken: Promise<void>[] = [];
  form.on("file", (field, body, { mimeType }) => {
    fault = field === "file" ? null : "The field is not called file";
    if (mimeType !== file.type) fault = "Another type than was promised";
    const taking = append(body, file, isCut ? CUT_AFTER : file.size);
    taking.catch((error: Error) => form.destroy(error));
    taken.push(taking);
  });
  finished(request).catch((error: Error) => form.destroy(error));
  request.pipe(form);
  await Promise.all([finished(form), ...taken]).catch((error: Error) => {
    request.unpipe(form);
    fault = error.message;
  });
  await Promise.allSettled(taken);
  return fault ?? (file.arrived === file.size ? null : "Another size than was promised");
}

async function append(body: Readable, file: RemoteFile, limit: number): Promise<void> {
  async function* counted() {
    for await (const chunk of body) {
      if (file.arrived + chunk.length > limit) throw new Error("More than was promised");
      file.arrived += chunk.length;
      yield chunk;
    }
  }
  await pipeline(counted, createWriteStream(file.path, { flags: "a" }));
}

async function md5Of(path: string): Promise<string> {
  const hash = createHash("md5");
  for await (const chunk of createReadStream(path)) hash.update(chunk);
  return hash.digest("hex");
}

/** `GET /a/APP/KEY`: a file or a range of it; private files only with a signed URL. */
export async function serveFile(exchange: Exchange): Promise<void> {
  const { app, request, response, breaks } = exchange;
  const { href, pathname } = new URL(request.url ?? "", app.origin);
  const [, place, appId, key = ""] = pathname.split("/");
  if (place !== "a" || appId !== app.appId) return refuse(exchange, 404, "No such app");
  const file = app.files.get(key);
  const fault = file?.acl === "public-read" ? null : faultOfSignature(href, app.apiKey);
  if (fault) return refuse(exchange, 403, fault);
  if (!file || file.arrived < file.size) return refuse(exchange, 404, "No such file");
  const asked = breaks === "whole" ? undefined : request.headers.range;
  const range = asked ? rangeOf(asked, file) : null;
  if (asked && !range) return refuse(exchange, 416, "No such range");
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  response.writeHead(range ? 206 : 200, {
    "Content-Type": file.type,
    "Content-Length": end - start + 1,
    ...(range && { "Content-Range": `bytes ${start}-${end}/${file.size}` }),
  });
  if (!breaks || breaks === "whole") return pipeline(createReadStream(file.path, { start, end }), response);
  const middle = Math.floor((start + end) / 2);
  for await (const chunk of createReadStream(file.path, { start, end: middle }))
    await new Promise((resolve) => response.write(chunk, resolve));
  if (breaks === "cut") response.destroy();
}

function rangeOf(asked: string, { size }: RemoteFile): { start: number; end: number } | undefined {
  const ranges = parseRange(size, asked);
  return Array.isArray(ranges) && ranges.length === 1 ? ranges[0] : undefined;
}

/** `POST /v6/deleteFiles`: deletes those files that exist. */
export async function deleteFiles(exchange: Exchange): Promise<void> {
  const { app, request, response, breaks } = exchange;
  const { headers } = request;
  if (headers["x-uploadthing-api-key"] !== app.apiKey) return refuse(exchange, 401, "Wrong API key");
  if (!headers["x-uploadthing-version"]) return refuse(exchange, 400, "No version");
  const { fileKeys } = JSON.parse(await text(request)) as { fileKeys: string[] };
  if (!Array.isArray(fileKeys)) return refuse(exchange, 400, "No keys");
  let deletedCount = 0;
  if (breaks === "refuse") {
    response.writeHead(200, { "Content-Type": "application/json" });
    return void response.end(JSON.stringify({ success: false, deletedCount }));
  }
  for (const key of fileKeys) {
    const file = app.files.get(key);
    if (!file) continue;
    app.files.delete(key);
    await rm(file.path, { force: true });
    deletedCount++;
  }
  if (breaks === "cut") return void response.destroy();
  response.writeHead(200, { "Content-Type": "application/json" });
  response.end(JSON.stringify({ success: true, deletedCount }));
}
