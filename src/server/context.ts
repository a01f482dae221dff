import type { Logger } from "pino";
import type { Db } from "#db/open.ts";
import type { Trx } from "#db/transaction.ts";
import type { CurrentUser, StaffAccount } from "#shared/schemas/accounts.ts";
import type { SessionStore } from "./accounts/sessions.ts";
import type { Config } from "./config.ts";
import { AppError } from "./errors.ts";
import type { MalwareScanner } from "./files/malware-scanner.ts";
import type { PdfInspector } from "./files/pdf/inspector.ts";
import type { PrintCopier } from "./files/pdf/print-copies.service.ts";
import type { FileStore } from "./files/storage/storage.types.ts";
import type { DiskRoom } from "./http/disk-room.ts";
import type { Limits } from "./http/rate-limit.ts";
import type { LiveStreams } from "./http/streams.ts";
import type { Keyring } from "./lib/crypto.ts";
import type { Metrics } from "./lib/metrics.ts";
import type { OrderEvents } from "./orders/events/events.service.ts";
import type { SheetRenderer } from "./printing/sheets.service.ts";
import type { Catalogue, ShopCache } from "./shops/shop-cache.ts";

/** What the server is made of; built once in main.ts, or by a test with its own clock and folders. */
export interface Deps {
  config: Config;
  db: Db;
  readDb: Db;
  log: Logger;
  metrics: Metrics;
  /** The clock. */
  now: () => Date;
  /** Signs links and keys hashes. */
  keyring: Keyring;
  sessions: SessionStore;
  catalogue: Catalogue;
  shopCache: ShopCache;
  limits: Limits;
  files: FileStore;
  diskRoom: DiskRoom;
  scanner: MalwareScanner;
  pdf: PdfInspector;
  printCopies: PrintCopier;
  sheets: SheetRenderer;
  /** What a student's new name or phone changes elsewhere: staff look for their orders by it. In the same transaction. */
  onProfileChange: (trx: Trx, user: CurrentUser) => Promise<void>;
  streams: LiveStreams;
  /** Tells live screens what was written to the queue's log. */
  orderEvents: OrderEvents;
  /** Aborts when the server begins to stop: what would go on for hours ends then. */
  closing: AbortSignal;
  /** Aborted once new requests should go to another server; it comes before `closing`. */
  leaving: AbortSignal;
  /** Origin of the store as people reach it, for links in mails and file URLs. */
  publicUrl: () => string;
}

/** All shops, or the ids of some. */
export type ShopScope = "all" | readonly string[];

export type Guest = { kind: "guest" };
export type SignedIn = { kind: "user"; user: CurrentUser };
export type Actor = Guest | SignedIn;

/** Someone who works in the console. Made at each call from what the database says at that moment. */
export interface StaffMember extends SignedIn {
  user: StaffAccount;
  /** The shops that they may see: `all` for an admin. */
  shops: ShopScope;
}
export interface Admin extends StaffMember {
  user: StaffAccount & { role: "admin" };
  shops: "all";
}

/** A cookie of the caller's browser, whichever transport the request came by. */
export interface BrowserCookie {
  readonly token: string | null;
  set(token: string, expiresAt: Date): void;
  clear(): void;
}

/** One call: who makes it, from where, and the server's parts. */
export interface Context<A extends Actor = Actor> extends Deps {
  actor: A;
  /** Of the session. */
  cookie: BrowserCookie;
  /** Names a login that waits for its second factor. */
  pendingLogin: BrowserCookie;
  /** When the person of this session last proved by a password or a second factor that it is them. */
  confirmedAt: Date | null;
  /** Tells the sign-up that was made in this browser last from others. */
  signupCookie: BrowserCookie;
  /** Tells a device that was logged in to an account before from strangers. */
  deviceCookie: BrowserCookie;
  /** Address of the caller, for limits. */
  address: string;
  /** Whether the call says from which page it comes, as browsers always say of what changes something. */
  isBrowser: boolean;
  /** What the caller's browser says of itself; empty where it says nothing. */
  userAgent: string;
  /** Origins under which this request may name the store's own files. */
  origins: readonly string[];
  requestId: string;
  /** Name of the file in the body of an upload. */
  uploadName: string | null;
  /** How many bytes the request's body was announced with; null where it comes in chunks. */
  contentLength: number | null;
}

export function hasShop({ shops }: Pick<StaffMember, "shops">, shopId: string): boolean {
  return shops === "all" || shops.includes(shopId);
}

/** Throws NOT_FOUND when the shop is not the caller's: to other staff it does not exist. */
export function requireShop({ actor }: Pick<Context<StaffMember>, "actor">, shopId: string): void {
  if (!hasShop(actor, shopId)) throw new AppError("NOT_FOUND", "This shop was not found");
}
