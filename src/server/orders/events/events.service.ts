import type { OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import type { OwnOrderEvent, QueueEvent, QueueEventKind } from "#shared/live-events.ts";
import { stillSignedIn } from "../../accounts/sessions.ts";
import type { Context, Deps, SignedIn, StaffMember } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { gaveWay } from "../../http/streams.ts";
import { createNotifier, type Notifier } from "../../lib/notifier.ts";
import { asStaff } from "../../staff/access.service.ts";
import {
  appendToLog,
  deleteLogBefore,
  findHeadlines,
  findLogEntries,
  findLogHead,
  findLogStart,
  findOwnLogEntries,
  type Headline,
  type LogEntry,
} from "./events.queries.ts";

/** A screen that was away for longer loads everything again. */
const KEPT_DAYS = 7;

/** Tells live screens of an order that has changed: within the transaction of the change, and as its last step. */
export async function logChange(
  trx: Trx,
  { now }: Pick<Deps, "now">,
  kind: QueueEventKind,
  { id, shop_id, state }: Pick<OrderTable, "id" | "shop_id" | "state">,
): Promise<void> {
  await appendToLog(trx, { order_id: id, shop_id, kind, state, created_at: now().toISOString() });
}

export async function sweepLog({ db, now }: Pick<Deps, "db" | "now">): Promise<void> {
  const before = new Date(now().getTime() - KEPT_DAYS * 24 * 60 * 60 * 1000);
  await deleteLogBefore(db, before.toISOString());
}

/**
 * How long a follower sleeps whom nothing concerns: so long may a stream outlive the session or the role behind it, and
 * be silent of a shop that was given to them meanwhile.
 */
const RECHECK_MS = 5000;
/** Entries that are read at once for a follower who was away. */
const BATCH = 500;

/** Entries of the log after one number and up to another. */
export interface LogRange {
  after: number;
  upTo: number;
}

/** A place in the log after which nothing is left out; before it something may have been. */
interface SyncMark {
  seq: number;
  kind: "sync";
}

export interface Following {
  /** From where to go on; null at a first start. */
  lastEventId: string | null;
  signal: AbortSignal;
  /** Whether the follower is to be woken for an entry. */
  concerns: Concerns;
  /**
   * The entries of a range that the follower may see at this moment, oldest first. Also called with nothing to read,
   * every few seconds. Throws once they may follow no longer.
   */
  read: (range: LogRange) => Promise<LogEntry[]>;
}

/**
 * What is written to the queue's log, as it is written, until `signal` aborts. From `lastEventId` on nothing is left
 * out; where the log does not reach back so far, and at a first start, a `sync` comes first. Throws what `read` throws,
 * UNAVAILABLE when the store stops or has too many streams, and RATE_LIMITED once newer streams have taken its place.
 */
async function* followLog(
  ctx: Context,
  { lastEventId, signal, concerns, read }: Following,
): AsyncGenerator<SyncMark | LogEntry> {
  const stream = ctx.streams.take(ownerOf(ctx));
  const ending = AbortSignal.any([signal, ctx.closing, stream.signal]);
  const follower = await ctx.orderEvents.follow(concerns).catch((error: unknown) => {
    stream.close();
    throw error;
  });
  try {
    let position = await resumeFrom(ctx, lastEventId);
    if (position === null) {
      position = await findLogHead(ctx.readDb);
      yield { seq: position, kind: "sync" };
    }
    while (!ending.aborted) {
      const heard = follower.count;
      const head = await findLogHead(ctx.readDb);
      do {
        const upTo = Math.min(position + BATCH, head);
        yield* await read({ after: position, upTo });
        position = upTo;
      } while (position < head && !ending.aborted);
      await follower.wait(heard, RECHECK_MS, ending);
    }
  } finally {
    follower.leave();
    stream.close();
  }
  if (stream.signal.aborted) throw gaveWay();
  if (ctx.closing.aborted) throw new AppError("UNAVAILABLE", "The store is restarting");
}

function ownerOf({ actor, cookie }: Context) {
  return { session: cookie.token ?? "", account: actor.kind === "user" ? actor.user._id : "" };
}

/** The number after which to go on, where nothing since then is lost. */
async function resumeFrom({ readDb }: Context, lastEventId: string | null): Promise<number | null> {
  if (!lastEventId || !/^\d{1,15}$/.test(lastEventId)) return null;
  const last = Number(lastEventId);
  const head = await findLogHead(readDb);
  const start = (await findLogStart(readDb)) ?? head + 1;
  return last <= head && last >= start - 1 ? last : null;
}

/**
 * Everything that happens in the caller's shops, as it happens, until `signal` aborts; nothing since `lastEventId` is
 * left out. Throws UNAUTHENTICATED or FORBIDDEN once the session or the role has ended, and UNAVAILABLE when the store
 * stops.
 */
export async function* watchQueue(
  ctx: Context<StaffMember>,
  lastEventId: string | null,
  signal: AbortSignal,
): AsyncGenerator<QueueEvent> {
  let { shops } = ctx.actor;
  const entries = followLog(ctx, {
    lastEventId,
    signal,
    concerns: ({ shop_id }) => shops === "all" || shops.includes(shop_id),
    async read(range) {
      ({ shops } = await asStaff(ctx, await stillSignedIn(ctx)));
      return findLogEntries(ctx.readDb, { ...range, shops });
    },
  });
  for await (const entry of entries) yield toEvent(entry);
}

function toEvent(entry: SyncMark | LogEntry): QueueEvent {
  const id = String(entry.seq);
  if (entry.kind === "sync") return { id, kind: "sync" };
  return {
    id,
    kind: entry.kind,
    orderId: entry.order_id,
    shopId: entry.shop_id,
    state: entry.state,
    at: entry.created_at,
  };
}

/**
 * What happens to the caller's own orders, as it happens, until `signal` aborts; nothing since `lastEventId` is left
 * out. Throws UNAUTHENTICATED once the session has ended, and UNAVAILABLE when the store stops.
 */
export async function* watchOwnOrders(
  ctx: Context<SignedIn>,
  lastEventId: string | null,
  signal: AbortSignal,
): AsyncGenerator<OwnOrderEvent> {
  const userId = ctx.actor.user._id;
  const entries = followLog(ctx, {
    lastEventId,
    signal,
    concerns: (headline) => headline.user_id === userId && headline.kind !== "noted",
    async read(range) {
      await stillSignedIn(ctx);
      return range.after < range.upTo ? findOwnLogEntries(ctx.readDb, { ...range, userId }) : [];
    },
  });
  for await (const entry of entries) {
    const id = String(entry.seq);
    if (entry.kind === "sync") yield { id, kind: "sync" };
    else yield { id, kind: "changed", orderId: entry.order_id, state: entry.state };
  }
}

/** How often the log is looked at for changes that no notification told of. */
const LOOK_EVERY_MS = 1000;
/** Entries that are read at once. */
const HEADLINES_AT_ONCE = 500;

/** What the screens that follow the queue's log need of it. */
export interface OrderEvents {
  /** A notifier of every entry from now on that concerns its owner, until they leave. */
  follow(concerns: Concerns): Promise<Follower>;
}

export type Concerns = (headline: Headline) => boolean;

export interface Follower extends Pick<Notifier, "count" | "wait"> {
  leave(): void;
}

/**
 * Reads what is new in the log once for all who follow it, however many those are, and wakes those whom it concerns.
 * While nobody follows nothing is read.
 */
export class EventReader implements OrderEvents {
  readonly #deps: Pick<Deps, "readDb" | "log">;
  readonly #followers = new Map<Notifier, Concerns>();
  readonly #timer: NodeJS.Timeout;
  /** Up to where the log has been read; null while nobody follows. */
  #position: number | null = null;
  #reading: Promise<void> = Promise.resolve();
  #willRead = false;

  constructor(deps: Pick<Deps, "readDb" | "log">) {
    this.#deps = deps;
    this.#timer = setInterval(() => this.notify(), LOOK_EVERY_MS).unref();
  }

  /** Says that the log may have grown: after the commit of what was written to it, wherever that was. */
  notify(): void {
    if (this.#followers.size === 0 || this.#willRead) return;
    this.#willRead = true;
    this.#reading = this.#reading.then(() => this.#tell());
  }

  async follow(concerns: Concerns): Promise<Follower> {
    const notifier = createNotifier();
    this.#followers.set(notifier, concerns);
    const leave = () => this.#leave(notifier);
    const begun = this.#reading.then(() => this.#begin());
    this.#reading = begun.catch(() => {});
    await begun.catch((error: unknown) => {
      leave();
      throw error;
    });
    return {
      get count() {
        return notifier.count;
      },
      wait: notifier.wait,
      leave,
    };
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#reading;
  }

  async #begin(): Promise<void> {
    this.#position ??= await findLogHead(this.#deps.readDb);
  }

  #leave(notifier: Notifier): void {
    this.#followers.delete(notifier);
    if (this.#followers.size === 0) this.#position = null;
  }

  async #tell(): Promise<void> {
    this.#willRead = false;
    try {
      while (await this.#tellSome());
    } catch (error) {
      this.#deps.log.error({ err: error }, "the queue's log could not be read");
      for (const notifier of this.#followers.keys()) notifier.notify();
    }
  }

  /** Wakes those whom the next entries concern; whether there may be more. */
  async #tellSome(): Promise<boolean> {
    const after = this.#position;
    if (after === null) return false;
    const news = await findHeadlines(this.#deps.readDb, { after, limit: HEADLINES_AT_ONCE });
    // Meanwhile everyone may have left.
    if (this.#position === null) return false;
    this.#position = news.at(-1)?.seq ?? after;
    for (const [notifier, concerns] of this.#followers) if (news.some(concerns)) notifier.notify();
    return news.length === HEADLINES_AT_ONCE;
  }
}
