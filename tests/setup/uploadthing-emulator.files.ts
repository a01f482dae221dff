import { createReadStream } from "node:fs";
import { rm } from "node:fs/promises";
import { text } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";
import parseRange from "range-parser";
import { type Exchange, type RemoteFile, refuse } from "./uploadthing-emulator.remote.ts";
import { faultOfSignature } from "./uploadthing-emulator.signatures.ts";

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
  const asked = request.headers.range;
  const range = asked ? rangeOf(asked, file) : null;
  if (asked && !range) return refuse(exchange, 416, "No such range");
  const { start, end } = range ?? { start: 0, end: file.size - 1 };
  response.writeHead(range ? 206 : 200, {
    "Content-Type": file.type,
    "Content-Length": end - start + 1,
    ...(range && { "Content-Range": `bytes ${start}-${end}/${file.size}` }),
  });
  if (!breaks) return pipeline(createReadStream(file.path, { start, end }), response);
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
