import type { Procedure } from "#shared/permissions.ts";
import type { UploadedFile } from "#shared/schemas/files.ts";
import { toHex } from "#ui/random-key.ts";
import type { UploadedPrint, Verdict } from "./print-file.ts";

const UPLOAD_PATH = "/api/v1/uploads";
const UPLOAD_PRESET = "documents";
/**
 * Time without progress after which an upload is aborted. It is longer after the last byte was handed to the
 * operating system, which may still be sending megabytes.
 */
const SILENCE_MS = { sending: 120_000, answering: 300_000 };
/** Statuses of a proxy when the server is down. */
const GATEWAY_FAILURES = [502, 503, 504];
/** Node answers without a body when a request has taken longer than it may, which is half an hour. */
const TOO_SLOW = 408;
const TOO_SLOW_TEXT =
  "This file needs more than 30 minutes on this connection. Use a faster one, such as Wi-Fi, or split the file";

/** Codes of refusals that the same file gets whenever it is sent. */
const USELESS: readonly unknown[] = ["TOO_LARGE", "UNSUPPORTED_TYPE", "UNREADABLE_FILE", "INFECTED"];

/** The server refused the file; `message` is the server's. */
export class UploadRefusal extends Error {
  readonly verdict: Verdict | undefined;

  constructor(message: string, verdict?: Verdict) {
    super(message);
    this.verdict = verdict;
  }
}
/** The session has ended; the same request works after a login. */
export class LoginRequired extends Error {}
/** No response, or one that asks to retry later. */
export class ConnectionLost extends Error {}

interface SendOptions {
  /** Opens a locked file. */
  password: string | undefined;
  /** Lets the store make a PDF of an office document, for the student to look at. */
  convert: boolean;
  signal: AbortSignal;
  /** Called with the share that was sent, from 0 to 1. */
  onProgress: (share: number) => void;
}

/** Sends one file as the contract's multipart form. Throws one of the errors above, or the signal's reason. */
export async function sendFile(file: Blob, name: string, options: SendOptions): Promise<UploadedPrint> {
  options.signal.throwIfAborted();
  const { status, body } = await post(toForm(file, name, options), options);
  if (status >= 200 && status < 300) {
    return readUploaded(body);
  }
  const refusal = readRefusal(body);
  const busy = refusal ? refusal.code === "UNAVAILABLE" : GATEWAY_FAILURES.includes(status);
  if (busy) throw new ConnectionLost(refusal?.message);
  if (status === 401) throw new LoginRequired(refusal?.message);
  throw new UploadRefusal(
    refusal?.message ??
      (status === TOO_SLOW ? TOO_SLOW_TEXT : "The file could not be saved. Please try again"),
    verdictOf(refusal?.code, options),
  );
}

/** A password that is refused for too many tries is asked for again, as a wrong one is. */
function verdictOf(code: unknown, { password }: SendOptions): Verdict | undefined {
  if (code === "PASSWORD_REQUIRED") return "locked";
  if (code === "WRONG_PASSWORD" || (code === "RATE_LIMITED" && password)) return "wrong";
  return USELESS.includes(code) ? "useless" : undefined;
}

const FIND_PATH = `/api/trpc/${"files.findUploaded" satisfies Procedure}`;
/** How much later than here the store may have begun to look. */
const LATE_MS = 10_000;

/**
 * The upload of the same content whose answer was lost, if the store has it. Null also where browsers cannot compute a hash
 * (without https) and where the store does not answer.
 * @param sinceMs when it was first sent, by `performance.now`: the same file may wait at another shop
 * @param isTaken whether the file with this id is in the list already: the same file may be chosen twice
 */
export async function findUploaded(
  file: Blob,
  sinceMs: number,
  isTaken: (id: string) => boolean,
): Promise<UploadedPrint | null> {
  try {
    const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
    const sha256 = toHex(new Uint8Array(digest));
    const withinMs = Math.ceil(performance.now() - sinceMs) + LATE_MS;
    const input = encodeURIComponent(JSON.stringify({ sha256, withinMs }));
    const response = await fetch(`${FIND_PATH}?input=${input}`);
    const found: unknown[] = (await response.json()).result.data;
    return found.map(readUploaded).find(({ id }) => !isTaken(id)) ?? null;
  } catch {
    return null;
  }
}

/** Checked by hand: zod would be a tenth of what the page loads on a phone. */
export function readUploaded(body: unknown): UploadedPrint {
  const {
    secure_url: url,
    public_id: id,
    pages = 1,
    original_filename: name,
    converted_from: convertedFrom,
  } = (body ?? {}) as Partial<UploadedFile>;
  if (typeof url !== "string" || typeof id !== "string" || !Number.isSafeInteger(pages) || pages < 1) {
    throw new UploadRefusal("The store’s answer could not be read. Please try again");
  }
  return { id, url, pages, name, convertedFrom };
}

function readRefusal(body: unknown): { message: string; code?: unknown } | null {
  const { message, code } = (body ?? {}) as { message?: unknown; code?: unknown };
  return typeof message === "string" ? { message, code } : null;
}

function toForm(file: Blob, name: string, { password, convert }: SendOptions): FormData {
  const form = new FormData();
  form.set("upload_preset", UPLOAD_PRESET);
  if (password) form.set("password", password);
  if (convert) form.set("convert", "pdf");
  form.set("file", file, name);
  return form;
}

/** XMLHttpRequest, because fetch reports no upload progress. */
function post(
  form: FormData,
  { signal, onProgress }: SendOptions,
): Promise<{ status: number; body: unknown }> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    let silence: ReturnType<typeof setTimeout>;
    const giveUpAfter = (ms: number) => {
      clearTimeout(silence);
      silence = setTimeout(() => request.abort(), ms);
    };
    const abort = () => request.abort();
    const fail = () => reject(signal.aborted ? signal.reason : new ConnectionLost());

    request.open("POST", UPLOAD_PATH);
    request.responseType = "json";
    request.upload.onprogress = ({ loaded, total }) => {
      giveUpAfter(loaded < total ? SILENCE_MS.sending : SILENCE_MS.answering);
      onProgress(total > 0 ? loaded / total : 0);
    };
    request.onload = () => resolve({ status: request.status, body: request.response });
    request.onerror = fail;
    request.onabort = fail;
    request.onloadend = () => {
      clearTimeout(silence);
      signal.removeEventListener("abort", abort);
    };
    signal.addEventListener("abort", abort);
    giveUpAfter(SILENCE_MS.sending);
    request.send(form);
  });
}
