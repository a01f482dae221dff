import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mayPass, sendRequest, UnexpectedAnswer } from "./uploadthing.requests.ts";

export interface Upload {
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
 * large. What breaks off is taken up once more where it broke off. Throws an Error when it did not arrive.
 */
export async function uploadFrom(upload: Upload): Promise<void> {
  try {
    await put(upload, upload.isBegun ? await bytesThere(upload) : 0);
  } catch (error) {
    if (!mayPass(error)) throw error;
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
