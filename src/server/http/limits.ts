import { MAX_BATCH } from "#shared/calls.ts";
import { MINUTE_MS } from "#shared/durations.ts";
import type { Procedure } from "#shared/permissions.ts";
import { MAX_PHOTO_BYTES } from "#shared/photos.ts";
import { AppError } from "../errors.ts";
import type { LimitName } from "./rate-limit.ts";

const KB = 1024;
const MB = 1024 * KB;

/** Above this, new connections are refused at once, so that file handles remain for files and mails. */
export const MAX_CONNECTIONS = 15_000;

/** Maximum body of a request: JSON, which is read into memory as a whole, or a file or picture, which is streamed. */
export interface BodyLimit {
  kind: "request" | "file" | "picture";
  bytes: number;
  /** Additional bytes of the multipart form around the file. */
  frameBytes?: number;
}

/** Enough for a login or an address, even if JSON escapes each character as six bytes. */
const DEFAULT_BYTES = 8 * KB;
/** A text of 2,000 characters, or the states of 100 orders. */
const TEXT_BYTES = 16 * KB;
/** A message of 5,000 characters. */
const MESSAGE_BYTES = 40 * KB;
/** The ids of 1,000 shops. */
const SHOP_IDS_BYTES = 80 * KB;
/** 50 files, each with its URL and page ranges, or six lists of 50 options. */
const LISTS_BYTES = 256 * KB;
/** All calls of a tRPC batch share one body. */
const MAX_BATCH_BYTES = MB;
/** Size of a multipart form without its file. */
const FORM_BYTES = 64 * KB;

/** Calls that need more JSON, by the longest texts and lists in their schemas. */
const LARGER_BYTES: Partial<Record<Procedure, number>> = {
  "board.note": TEXT_BYTES,
  "board.moveSeveral": TEXT_BYTES,
  "holds.holdSeveral": TEXT_BYTES,
  "holds.quote": LISTS_BYTES,
  "holds.change": LISTS_BYTES,
  "shops.admin.create": TEXT_BYTES,
  "shops.admin.update": TEXT_BYTES,
  "contact.send": MESSAGE_BYTES,
  "staff.invite": SHOP_IDS_BYTES,
  "staff.change": 2 * SHOP_IDS_BYTES,
  "orders.place": LISTS_BYTES,
  "visits.place": LISTS_BYTES,
  "visits.walkIn": LISTS_BYTES,
  "reprints.order": LISTS_BYTES,
  "prices.save": LISTS_BYTES,
  "seeding.preview": MB,
  "seeding.write": MB,
};

/** Calls that stream their body, with the maximum sizes that the screens state. */
const STREAMED_BYTES: Partial<Record<Procedure, BodyLimit>> = {
  "reprints.uploadPhoto": { kind: "picture", bytes: MAX_PHOTO_BYTES },
  "shops.admin.uploadPhoto": { kind: "picture", bytes: MAX_PHOTO_BYTES },
};

/**
 * Maximum body of a request that calls these procedures. A procedure that streams its body accepts JSON only up to the
 * default size, because JSON is read into memory before anything checks it.
 */
export function bodyLimitOf(procedures: readonly string[], contentType: string): BodyLimit {
  const [first] = procedures as Procedure[];
  const streamed = procedures.length === 1 && first ? STREAMED_BYTES[first] : undefined;
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

/** Maximum multipart form of an upload. */
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

/** Limits that are checked before the body of a call is read; `guestAddress` only where nobody is logged in. */
export const LIMITS_BEFORE_BODY: Partial<
  Record<Procedure, { address?: LimitName; guestAddress?: LimitName; account?: LimitName; visit?: LimitName }>
> = {
  "accounts.register": { address: "registerAddress" },
  "accounts.login": { address: "loginAddress" },
  "contact.send": { guestAddress: "contactAddress", account: "contactAccount" },
  "files.upload": { address: "uploadAddress", account: "uploadAccount", visit: "uploadVisit" },
  "shops.admin.uploadPhoto": { address: "uploadAddress", account: "uploadAccount" },
  "reprints.uploadPhoto": { address: "uploadAddress", account: "uploadAccount" },
  "orders.place": { account: "orderAccount" },
  "visits.place": { visit: "orderVisit" },
  "reprints.report": { account: "reportAccount" },
};

/** Timeouts for slow clients, in milliseconds. */
export interface ClientTimeouts {
  /** From the connection to the end of the headers. */
  headers: number;
  /** From the start of a request to its end. */
  request: number;
  /** Interval in which a body must send MIN_BYTES_PER_SECOND on average. */
  pause: number;
  /** For the next request on a connection; Node's default if not set. */
  idle?: number;
}
/** A student's 100 MB upload may take half an hour; the headers of a request may not. */
export const CLIENT_TIMEOUTS: ClientTimeouts = { headers: 20_000, request: 30 * MINUTE_MS, pause: 45_000 };
/** A tenth of the speed of GPRS, the slowest mobile network, so half a minute without signal does not end an upload. */
export const MIN_BYTES_PER_SECOND = 180;

/** Memory of a request that waits for its body, without the body: measured with 5,000 of them. */
export const WAITING_BYTES = 40 * KB;
/**
 * Memory for JSON bodies that are being received. 500 logins fit for one address, which the students of a campus may share,
 * and 1,300 in total; above that the requests that have waited longest are ended.
 */
export const BODY_MEMORY = { each: WAITING_BYTES, address: 24 * MB, all: 64 * MB };
/** Maximum concurrent streamed bodies: 300 students at one address send two files each, as the storefront does. */
export const MAX_CONCURRENT_UPLOADS = { address: 700, all: 1500 };

/** Maximum concurrent uploads of one account, from any address: the storefront sends two. */
export const MAX_ACCOUNT_UPLOADS = 6;
/**
 * Maximum concurrent requests that were answered early and whose remaining body is still read. Each costs WAITING_BYTES, so
 * 20 MB in total.
 */
export const MAX_DRAINS = { address: 200, all: 500 };

/**
 * Memory for finished answers that their readers have not taken. The operating system takes some 100 KB of each itself, more
 * than a compressed page, so that slow phones need none.
 */
export const UNREAD_MEMORY = { address: 48 * MB, all: 192 * MB };

/** Memory of an open stream, measured with 2,000 of them. */
export const STREAM_BYTES = 180 * KB;
/**
 * Maximum open streams; above the limit of a session or account its oldest is closed. Only visible tabs hold one; all
 * together use 270 MB.
 */
export const MAX_STREAMS = { session: 12, account: 36, all: 1500 };

/**
 * Maximum files that are being sent, measured with 2,000 of them: one whose reader is slow holds 240 KB until its end. Above a
 * limit the oldest one ends. A browser reads pieces of several documents at once, all for one person.
 */
export const MAX_DOWNLOADS = { reader: 120, all: 1000 };
