import type { IncomingMessage } from "node:http";
import { Readable } from "node:stream";
import type { StoredRange } from "./files.store.ts";
import { sendRequest, twice, UnexpectedAnswer } from "./uploadthing.requests.ts";

export interface Download {
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
  const first = await twice(() => open(download, download.range));
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
  const impatience = setTimeout(() => body.destroy(new Error(`no byte within ${pauseMs} ms`)), pauseMs);
  try {
    const next = await chunks.next();
    if (next.done) throw new Error("the answer ended early");
    return next.value;
  } finally {
    clearTimeout(impatience);
  }
}
