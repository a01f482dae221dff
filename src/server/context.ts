import type { Logger } from "pino";
import type { Db } from "#db/database.ts";
import type { Trx } from "#db/transaction.ts";
import type { Day } from "#shared/indian-time.ts";
import type { CurrentUser, StaffAccount } from "#shared/schemas/accounts.ts";
import type { PeriodInput } from "#shared/schemas/period.ts";
import type { SessionStore } from "./accounts/sessions.ts";
import type { VisitStore } from "./accounts/visits.service.ts";
import type { Config } from "./config.ts";
import { AppError } from "./errors.ts";
import type { MalwareScanner } from "./files/malware-scanner.ts";
import type { OfficeConverter } from "./files/office-converter.ts";
import type { PdfInspector } from "./files/pdf/inspector.ts";
import type { PrintCopier } from "./files/pdf/print-copies.service.ts";
import type { FileStore } from "./files/storage/file-store.ts";
import type { DiskSpace } from "./http/disk-space.ts";
import type { Limits } from "./http/rate-limit.ts";
import type { Downloads, LiveStreams } from "./http/streams.ts";
import type { Keyring } from "./lib/crypto.ts";
import type { Metrics } from "./lib/metrics.ts";
import type { LiveEvents } from "./orders/live/live.service.ts";
import type { SheetRenderer } from "./printing/sheets.service.ts";
import type { Catalogue, ShopCache } from "./shops/shop-cache.ts";

interface EmailChange {
  userId: string;
  from: string;
  to: string;
}

/** The parts of the server; created once by store.ts, or by a test with its own clock and folders. */
export interface Deps {
  config: Config;
  db: Db;
  readDb: Db;
  log: Logger;
  metrics: Metrics;
  /** The clock. */
  now: () => Date;
  /** What could reveal by its response time whether an account exists takes at least so long. */
  minimumAnswerMs: number;
  /** Signs links, and keys the hashes of codes. */
  keyring: Keyring;
  /** The key with which browsers subscribe to push messages. */
  pushPublicKey: string;
  sessions: SessionStore;
  visits: VisitStore;
  catalogue: Catalogue;
  shopCache: ShopCache;
  limits: Limits;
  files: FileStore;
  diskSpace: DiskSpace;
  scanner: MalwareScanner;
  pdf: PdfInspector;
  /** Null where the machine has no LibreOffice. */
  office: OfficeConverter | null;
  printCopies: PrintCopier;
  sheets: SheetRenderer;
  /**
   * Updates what was derived from a student's name, phone or e-mail, such as the words for the order search; in the same
   * transaction.
   */
  onProfileChange: (trx: Trx, user: Omit<CurrentUser, "role">) => Promise<void>;
  /**
   * Gives a user's orders and contact messages the new e-mail, and deletes invitations to the old one; in the same
   * transaction.
   */
  onEmailChange: (trx: Trx, change: EmailChange) => Promise<void>;
  streams: LiveStreams;
  downloads: Downloads;
  /** Notifies live screens of new events of orders. */
  liveEvents: LiveEvents;
  /** Aborted when the server begins to stop; long-lived streams end then. */
  closing: AbortSignal;
  /** Aborted when new requests should go to another server; comes before `closing`. */
  draining: AbortSignal;
  /** The store's public origin, for links in mails and file URLs. */
  publicUrl: () => string;
}

/** All shops, or the ids of some. */
export type ShopScope = "all" | readonly string[];

type Guest = { kind: "guest" };
export type SignedIn = { kind: "user"; user: CurrentUser };
/** Somebody at a shop's counter, without an account, who reaches nothing but their own files and orders. */
export type Visitor = { kind: "visitor"; user: VisitOwner; visit: Visit };
/** Whoever can own files. */
export type Uploader = SignedIn | Visitor;
export type Actor = Guest | Uploader;

/** The row that owns a visit's files and orders: with a name at most, but the fields that an account has. */
interface VisitOwner extends Omit<CurrentUser, "role"> {
  role: "visitor";
}

/** A visit at a shop's counter that has not ended. */
interface Visit {
  id: string;
  shopId: string;
  /** The day and version of the code that opened it. */
  code: string;
  addressHash: string;
  endsAt: string;
}

/** Somebody who works in the console; read from the database for each call. */
export interface StaffMember extends SignedIn {
  user: StaffAccount;
  /** The shops that they may see. */
  shops: ShopScope;
}
export interface Admin extends StaffMember {
  user: StaffAccount & { role: "admin" };
  shops: "all";
}

/** A cookie of the caller's browser, over either transport. */
export interface BrowserCookie {
  readonly token: string | null;
  /** @param expiresAt null: ends with the browser */
  set(token: string, expiresAt: Date | null): void;
  clear(): void;
}

/** One call: who makes it and from where, plus the parts of the server. */
export interface Context<A extends Actor = Actor> extends Deps {
  actor: A;
  /** The session cookie. */
  cookie: BrowserCookie;
  /** The cookie of a visit at a shop's counter. */
  visitCookie: BrowserCookie;
  /** The cookie of a login that waits for its second factor. */
  pendingLogin: BrowserCookie;
  /** When the user of this session last proved their identity by a password or a second factor. */
  confirmedAt: Date | null;
  /** The caller as they are now: their session may have ended since the request began. */
  findCaller(): Promise<Pick<Context, "actor" | "confirmedAt">>;
  /** The cookie with the id of the last sign-up in this browser. */
  signupCookie: BrowserCookie;
  /** The cookie of a device that has logged in to an account before. */
  deviceCookie: BrowserCookie;
  /** The caller's IP address, for limits. */
  address: string;
  /** Whether the request has an Origin header, as browsers send with every change. */
  isBrowser: boolean;
  /** The User-Agent header; empty when missing. */
  userAgent: string;
  /** The origins under which this request may refer to the store's own files. */
  origins: readonly string[];
  requestId: string;
  /** The name of the file in an upload's form; null for other requests. */
  uploadName: string | null;
  /** The other fields of the form that it came with. They are complete once the file has arrived. */
  uploadFields: ReadonlyMap<string, string>;
  /** The Content-Length header; null for a chunked body. */
  contentLength: number | null;
}

export function hasShop({ shops }: Pick<StaffMember, "shops">, shopId: string): boolean {
  return shops === "all" || shops.includes(shopId);
}

/** Throws NOT_FOUND when the caller does not work at this shop, as if it did not exist. */
export function requireShop({ actor }: Pick<Context<StaffMember>, "actor">, shopId: string): void {
  if (!hasShop(actor, shopId)) throw shopNotFound();
}

/** The shop that the caller has chosen, or all of theirs. Throws NOT_FOUND as `requireShop` does. */
export function chosenShops(ctx: Pick<Context<StaffMember>, "actor">, shopId: string | undefined): ShopScope {
  if (shopId === undefined) return ctx.actor.shops;
  requireShop(ctx, shopId);
  return [shopId];
}

/** Some shops in a period of Indian days; both are included. */
export interface ShopRange {
  shops: ShopScope;
  from: Day;
  until: Day;
}

/** The shops as `chosenShops` gives them. Throws NOT_FOUND as it does. */
export function chosenRange(
  ctx: Pick<Context<StaffMember>, "actor">,
  { shopId, from, until }: PeriodInput,
): ShopRange {
  return { shops: chosenShops(ctx, shopId), from, until };
}

export function shopNotFound(): AppError {
  return new AppError("NOT_FOUND", "This shop was not found");
}
