import { setTimeout as sleep } from "node:timers/promises";
import type { OrderTable } from "#db/schema.ts";
import type { Trx } from "#db/transaction.ts";
import { DAY_MS } from "#shared/durations.ts";
import {
  type AliveSign,
  type BoardEvent,
  LIVE_SIGN_MS,
  type LiveEventKind,
  type OwnOrderEvent,
} from "#shared/live-events.ts";
import { requireLiveSession } from "../../accounts/sessions.ts";
import type { Context, Deps, ShopScope, SignedIn, StaffMember } from "../../context.ts";
import { AppError } from "../../errors.ts";
import { tooManyStreams } from "../../http/streams.ts";
import { asStaff } from "../../staff/access.service.ts";
import {
  appendEvent,
  deleteEventsBefore,
  type EventAudience,
  findEvents,
  findFirstSeq,
  findLastSeq,
  findNextEvents,
  findOwnEvents,
  type LoggedEvent,
} from "./live.queries.ts";

/** How long events are stored. A screen that was disconnected for longer loads everything again. */
const KEPT_DAYS = 7;

/** Records an event of an order for live screens. Call it as the last step of the transaction that makes the change. */
export async function recordLiveEvent(
  trx: Trx,
  { now }: Pick<Deps, "now">,
  kind: LiveEventKind,
  { id, shop_id, state }: Pick<OrderTable, "id" | "shop_id" | "state">,
): Promise<void> {
  await appendEvent(trx, { order_id: id, shop_id, kind, state, created_at: now().toISOString() });
}

export async function deleteOldEvents({ db, now }: Pick<Deps, "db" | "now">): Promise<void> {
  const before = new Date(now().getTime() - KEPT_DAYS * DAY_MS);
  await deleteEventsBefore(db, before.toISOString());
}

/**
 * How often a stream without events checks its session, role and shops. This is also the maximum time for which a stream
 * outlives its session or misses a newly assigned shop.
 */
const RECHECK_MS = LIVE_SIGN_MS;
/** Maximum events per query. */
const EVENTS_AT_ONCE = 500;
/** A screen that missed more loads everything again, as after a week: to read all of them would be work for each connection. */
const MAX_MISSED = 10 * EVENTS_AT_ONCE;

/** Events after one number and up to another. */
interface EventRange {
  after: number;
  upTo: number;
}

/**
 * `sync` tells a follower to load everything again, because events before this number may be missing; `alive` says that there
 * was no event for a while.
 */
type Mark = { seq: number; kind: "sync" } | { seq: number; kind: "alive" };

interface FollowOptions {
  /** Number of the last received event; null on the first connection. */
  lastEventId: string | null;
  signal: AbortSignal;
  /** Whether an event is relevant to the follower. */
  concerns: Concerns;
  /**
   * Returns the events of a range that the follower may see now, oldest first, or a `sync` in their place; throws once they
   * have lost access. Every few seconds it is called with an empty range to check access.
   */
  read: (range: EventRange) => Promise<(Mark | LoggedEvent)[]>;
}

/**
 * Yields events as they are written, until `signal` aborts. None after `lastEventId` is missed; on the first connection, and
 * if such events are deleted or too many, a `sync` comes first. Throws what `read` throws, UNAVAILABLE when the server stops or has too
 * many streams, and RATE_LIMITED once it is closed in favour of newer streams.
 */
async function* followEvents(
  ctx: Context,
  { lastEventId, signal, concerns, read }: FollowOptions,
): AsyncGenerator<Mark | LoggedEvent> {
  const stream = ctx.streams.take(ownerOf(ctx));
  const ending = AbortSignal.any([signal, ctx.closing, stream.signal]);
  const follower = await ctx.liveEvents.follow(concerns).catch((error: unknown) => {
    stream.close();
    throw error;
  });
  try {
    let position = await resumeFrom(ctx, lastEventId);
    if (position === null) {
      position = await findLastSeq(ctx.readDb);
      yield { seq: position, kind: "sync" };
    }
    while (!ending.aborted) {
      const heard = follower.count;
      const head = await findLastSeq(ctx.readDb);
      do {
        const upTo = Math.min(position + EVENTS_AT_ONCE, head);
        yield* await read({ after: position, upTo });
        position = upTo;
      } while (position < head && !ending.aborted);
      await follower.wait(heard, RECHECK_MS, ending);
      if (follower.count === heard && !ending.aborted) yield { seq: position, kind: "alive" };
    }
  } finally {
    follower.leave();
    stream.close();
  }
  if (stream.signal.aborted) throw tooManyStreams();
  if (ctx.closing.aborted) throw new AppError("UNAVAILABLE", "The store is restarting");
}

function ownerOf({ actor, cookie }: Context) {
  return { session: cookie.token ?? "", account: actor.kind === "guest" ? "" : actor.user._id };
}

/** The number after which to continue; null if events since then may be deleted, or are too many. */
async function resumeFrom({ readDb }: Context, lastEventId: string | null): Promise<number | null> {
  if (!lastEventId || !/^\d{1,15}$/.test(lastEventId)) return null;
  const last = Number(lastEventId);
  const head = await findLastSeq(readDb);
  const start = (await findFirstSeq(readDb)) ?? head + 1;
  return last <= head && last >= Math.max(start - 1, head - MAX_MISSED) ? last : null;
}

/**
 * Yields the events of the caller's shops until `signal` aborts, without missing any since `lastEventId`, and a `sync` once they
 * have got or lost a shop. Throws UNAUTHENTICATED or FORBIDDEN once the session or role has ended, and UNAVAILABLE when the server stops.
 */
export async function* watchShopOrders(
  ctx: Context<StaffMember>,
  lastEventId: string | null,
  signal: AbortSignal,
): AsyncGenerator<BoardEvent | AliveSign> {
  let { shops } = ctx.actor;
  const events = followEvents(ctx, {
    lastEventId,
    signal,
    concerns: ({ shop_id }) => shops === "all" || shops.includes(shop_id),
    async read(range) {
      const before = shops;
      ({ shops } = await asStaff(ctx, await requireLiveSession(ctx)));
      if (!isSameScope(before, shops)) return [{ seq: range.upTo, kind: "sync" }];
      return findEvents(ctx.readDb, { ...range, shops });
    },
  });
  for await (const event of events) yield toBoardEvent(event);
}

function isSameScope(one: ShopScope, other: ShopScope): boolean {
  return [one].flat().toSorted().join() === [other].flat().toSorted().join();
}

function toBoardEvent(entry: Mark | LoggedEvent): BoardEvent | AliveSign {
  const id = String(entry.seq);
  if (entry.kind === "sync" || entry.kind === "alive") return { id, kind: entry.kind };
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
 * Yields the events of the caller's own orders until `signal` aborts, without missing any since `lastEventId`. Throws
 * UNAUTHENTICATED once the session has ended, and UNAVAILABLE when the server stops.
 */
export async function* watchOwnOrders(
  ctx: Context<SignedIn>,
  lastEventId: string | null,
  signal: AbortSignal,
): AsyncGenerator<OwnOrderEvent> {
  const userId = ctx.actor.user._id;
  const events = followEvents(ctx, {
    lastEventId,
    signal,
    concerns: ({ user_id, kind }) => user_id === userId && kind !== "noted",
    async read(range) {
      await requireLiveSession(ctx);
      return range.after < range.upTo ? findOwnEvents(ctx.readDb, { ...range, userId }) : [];
    },
  });
  for await (const entry of events) {
    if (entry.kind === "alive") continue;
    const id = String(entry.seq);
    if (entry.kind === "sync") yield { id, kind: "sync" };
    else yield { id, kind: "changed", orderId: entry.order_id, state: entry.state };
  }
}

/** How often new events are queried without a notification, because another server may have written them. */
const LOOK_EVERY_MS = 1000;

/** Lets live screens follow the events of orders. */
export interface LiveEvents {
  /** Notifies the follower of each later event that concerns them, until they leave. */
  follow(concerns: Concerns): Promise<Follower>;
}

export type Concerns = (audience: EventAudience) => boolean;

export interface Follower extends Pick<Notifier, "count" | "wait"> {
  leave(): void;
}

/** Reads new events once for all followers and notifies those whom they concern. */
export class EventReader implements LiveEvents {
  readonly #deps: Pick<Deps, "readDb" | "log">;
  readonly #followers = new Map<Notifier, Concerns>();
  readonly #timer: NodeJS.Timeout;
  /** Number of the last event that was read; null while there are no followers, when nothing is read. */
  #position: number | null = null;
  #reading: Promise<void> = Promise.resolve();
  #willRead = false;

  constructor(deps: Pick<Deps, "readDb" | "log">) {
    this.#deps = deps;
    this.#timer = setInterval(() => this.notify(), LOOK_EVERY_MS).unref();
  }

  /** Checks for new events; called after a commit of this or another server. */
  notify(): void {
    if (this.#followers.size === 0 || this.#willRead) return;
    this.#willRead = true;
    this.#reading = this.#reading.then(() => this.#notifyFollowers());
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
    this.#position ??= await findLastSeq(this.#deps.readDb);
  }

  #leave(notifier: Notifier): void {
    this.#followers.delete(notifier);
    if (this.#followers.size === 0) this.#position = null;
  }

  async #notifyFollowers(): Promise<void> {
    this.#willRead = false;
    try {
      while (await this.#notifySome());
    } catch (error) {
      this.#deps.log.error({ err: error }, "new events of orders could not be read");
      for (const notifier of this.#followers.keys()) notifier.notify();
    }
  }

  /** Notifies the followers whom the next events concern. True if there may be more events. */
  async #notifySome(): Promise<boolean> {
    const after = this.#position;
    if (after === null) return false;
    const events = await findNextEvents(this.#deps.readDb, { after, limit: EVENTS_AT_ONCE });
    // All followers may have left during the query.
    if (this.#position === null) return false;
    this.#position = events.at(-1)?.seq ?? after;
    for (const [notifier, concerns] of this.#followers) if (events.some(concerns)) notifier.notify();
    return events.length === EVENTS_AT_ONCE;
  }
}

/** Wakes callers in this process that wait for something new. */
interface Notifier {
  /**
   * Number of notifications so far. Read it before looking for what is new and pass it to `wait`, so that no notification in
   * between is missed.
   */
  readonly count: number;
  notify(): void;
  /** Resolves once `count` exceeds `heard`, after `ms`, or when `signal` aborts. */
  wait(heard: number, ms: number, signal: AbortSignal): Promise<void>;
}

export function createNotifier(): Notifier {
  let next = new AbortController();
  let count = 0;
  return {
    get count() {
      return count;
    },
    notify() {
      count++;
      next.abort();
      next = new AbortController();
    },
    async wait(heard, ms, signal) {
      if (count > heard) return;
      const woken = AbortSignal.any([signal, next.signal]);
      await sleep(ms, undefined, { signal: woken, ref: false }).catch(() => {});
    },
  };
}
