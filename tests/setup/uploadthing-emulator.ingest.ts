import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { finished, pipeline } from "node:stream/promises";
import { verifyKey } from "@uploadthing/shared";
import busboy from "busboy";
import { runSync } from "effect/Micro";
import { type Exchange, type RemoteApp, type RemoteFile, refuse } from "./uploadthing-emulator.remote.ts";
import { faultOfSignature } from "./uploadthing-emulator.signatures.ts";

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
