import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { StoredRange } from "./storage.types.ts";
import { isTransient, retryOnce, sendRequest, UnexpectedAnswer } from "./uploadthing-client.ts";

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
