import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { mutatedPdfs, validPdfs } from "./pdf-mutations.ts";
import type { RawAnswer, RawRequest } from "./raw-client.ts";
import type { Send } from "./senders.ts";
import { type Tally, tallyRequests } from "./tally.ts";

/** Five seconds to count, five to copy, and the wait for one other document. */
const LIMIT_MS = 20_000;

/**
 * Uploads mutated PDFs one after another: each must be counted or refused with a reason, in time. The form of a failing one
 * is saved in the temporary folder.
 */
export async function fuzzFiles(
  send: Send,
  { seed, files }: { seed: number; files: number },
): Promise<Tally> {
  const requests = mutatedPdfs(await validPdfs()).map(uploadOf);
  let sent: RawRequest | undefined;
  const sendOne: Send = (request) => {
    sent = request;
    return send(request);
  };
  let failed: RawRequest | undefined;
  const judge = (answer: RawAnswer) => {
    const fault = uploadFault(answer);
    if (fault) failed = sent;
    return fault;
  };
  const tally = await tallyRequests(
    { name: "mutated PDFs", requests, send: sendOne, judge },
    { seed, requests: files },
  );
  if (failed?.body) await writeFile(join(tmpdir(), `failed-upload-${seed}.form`), failed.body);
  return tally;
}

function uploadOf(pdf: Buffer): RawRequest {
  const head = '--line\r\nContent-Disposition: form-data; name="file"; filename="notes.pdf"\r\n\r\n';
  return {
    method: "POST",
    path: "/api/v1/uploads",
    headers: { "Content-Type": "multipart/form-data; boundary=line" },
    body: Buffer.concat([Buffer.from(head), pdf, Buffer.from("\r\n--line--\r\n")]),
  };
}

function uploadFault({ status, text, ms }: RawAnswer): string | null {
  if (ms > LIMIT_MS) return `took ${Math.round(ms)} ms`;
  const { pages, message } = JSON.parse(text);
  if (status === 200) return Number.isInteger(pages) && pages > 0 ? null : `counted ${pages} pages`;
  const isRefusal = [413, 415, 422].includes(status) && /^“notes\.pdf” .{20,}/.test(message);
  return isRefusal ? null : `answered ${status}: ${text}`;
}
