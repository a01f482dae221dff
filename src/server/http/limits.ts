import { MAX_BATCH } from "#shared/batch.ts";
import type { Procedure } from "#shared/permissions.ts";
import { MAX_PHOTO_BYTES } from "#shared/photos.ts";
import { AppError } from "../errors.ts";
import type { LimitName } from "./rate-limit.ts";

const KB = 1024;
const MB = 1024 * KB;

/** What may be sent with a request: JSON, which is read whole into memory, or a file or picture that is streamed. */
export interface BodyLimit {
  kind: "request" | "file" | "picture";
  bytes: number;
  /** What may come around it. */
  frameBytes?: number;
}

/** Enough for a login or an address, also where JSON escapes each character in six bytes. */
const DEFAULT_BYTES = 8 * KB;
/** The calls of a batch come in one body. */
const MAX_BATCH_BYTES = MB;
/** What a multipart form may weigh beside its file. */
const FORM_BYTES = 64 * KB;

/** Calls whose JSON may be larger, by the longest texts and lists that their schemas take. */
const LARGER_BYTES: Partial<Record<Procedure, number>> = {
  "board.note": 16 * KB,
  "board.moveSeveral": 16 * KB,
  "reprints.report": 16 * KB,
  "reprints.answer": 16 * KB,
  "shops.admin.create": 16 * KB,
  "shops.admin.update": 16 * KB,
  // A message of 5,000 characters.
  "contact.send": 40 * KB,
  // The ids of 1,000 shops.
  "staff.invite": 80 * KB,
  "staff.change": 80 * KB,
  // 50 files, each with its address and the pages of it.
  "orders.place": 256 * KB,
  // Six lists of 50 options.
  "prices.save": 256 * KB,
  "seeding.preview": MB,
  "seeding.write": MB,
};

/** Calls that stream their body, and the sizes that the screens promise to take. */
const STREAMED_BYTES: Partial<Record<Procedure, (settings: { maxUploadBytes: number }) => BodyLimit>> = {
  "files.upload": ({ maxUploadBytes }) => ({ kind: "file", bytes: maxUploadBytes }),
  "reprints.uploadPhoto": () => ({ kind: "picture", bytes: MAX_PHOTO_BYTES }),
  "shops.admin.uploadPhoto": () => ({ kind: "picture", bytes: MAX_PHOTO_BYTES }),
};

/**
 * What the body of a request may be that calls these procedures. A procedure that streams its body takes small JSON only:
 * that would be read whole before anybody looks at it.
 */
export function bodyLimitOf(
  procedures: readonly string[],
  { contentType, maxUploadBytes }: { contentType: string; maxUploadBytes: number },
): BodyLimit {
  const [first] = procedures as Procedure[];
  const streamed = procedures.length === 1 && first ? STREAMED_BYTES[first]?.({ maxUploadBytes }) : undefined;
  if (streamed && contentType.startsWith("application/octet-stream")) return streamed;
  const each = (procedures as Procedure[])
    .slice(0, MAX_BATCH)
    .map((name) => LARGER_BYTES[name] ?? DEFAULT_BYTES);
  return {
    kind: "request",
    bytes: Math.min(
      each.reduce((sum, bytes) => sum + bytes, 0),
      MAX_BATCH_BYTES,
    ),
  };
}

/** What the form of an upload may be. */
export function formLimit(maxUploadBytes: number): BodyLimit {
  return { kind: "file", bytes: maxUploadBytes, frameBytes: FORM_BYTES };
}

export function tooLarge({ kind, bytes }: BodyLimit): AppError {
  const size =
    bytes < MB && kind === "request" ? `${bytes / KB} kB` : `${Number((bytes / MB).toFixed(2))} MB`;
  const advice = {
    request: "",
    file: ". Please upload a smaller one",
    picture: ". Please choose a smaller one",
  };
  return new AppError("TOO_LARGE", `The ${kind} is larger than ${size}${advice[kind]}`);
}

/** Limits of the callers' address and account that are asked before the body of a call is read. */
export const ASKED_BEFORE_BODY: Partial<Record<Procedure, { address?: LimitName; account?: LimitName }>> = {
  "accounts.register": { address: "registerAddress" },
  "accounts.login": { address: "loginAddress" },
  "contact.send": { address: "contactAddress" },
  "files.upload": { address: "uploadAddress", account: "uploadAccount" },
  "shops.admin.uploadPhoto": { address: "uploadAddress", account: "uploadAccount" },
  "reprints.uploadPhoto": { address: "uploadAddress", account: "uploadAccount" },
  "orders.place": { account: "orderAccount" },
  "reprints.report": { account: "reportAccount" },
};

/** How long a client may keep the server waiting, in milliseconds. */
export interface Patience {
  /** From the connection to the end of the headers. */
  headers: number;
  /** From the beginning of a request to its end. */
  request: number;
  /** For the next bytes of a body, which must then be as many as the least speed asks for. */
  pause: number;
  /** For the next request of a connection; Node's own where nothing is said. */
  idle?: number;
}
/** A student's 100 MB upload may take half an hour; a client that dawdles over its headers may not. */
export const PATIENCE: Patience = { headers: 20_000, request: 30 * 60_000, pause: 45_000 };
/** A tenth of what a phone sends over GPRS, the slowest there is; so a tunnel of half a minute ends nothing. */
export const LEAST_BYTES_A_SECOND = 180;

/** What a request costs whose body is awaited, beside the body: measured with 5,000 of them. */
const WAITING_BYTES = 40 * KB;
/**
 * Memory for bodies of JSON that are under way. 500 logins fit from one address, which a campus of students may share, and
 * 1,300 in all: whoever needs more ends those that have waited longest, so an attack ends its own.
 */
export const BODY_MEMORY = { each: WAITING_BYTES, address: 24 * MB, all: 64 * MB };
/** Streamed bodies at once: 300 students at one address send two files each, as the storefront does. */
export const UPLOADS_AT_ONCE = { address: 700, all: 1500 };

/** Uploads of one account at once, wherever it sends them from: the storefront sends two. */
export const ACCOUNT_UPLOADS = 6;
/** Answered requests that are read on to their end; each costs what a waiting one does, so all of them 20 MB. */
export const DRAINS_AT_ONCE = { address: 200, all: 500 };

/** What an open stream costs, measured with 2,000 of them. */
export const STREAM_BYTES = 180 * KB;
/** Streams that are open at once: the oldest of a session or account ends. Only tabs in view hold one; all take 270 MB. */
export const MAX_STREAMS = { session: 12, account: 36, all: 1500 };
