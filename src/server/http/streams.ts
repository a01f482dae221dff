import { once } from "node:events";
import type { HttpBindings } from "@hono/node-server";
import type { Context as HonoContext, Next } from "hono";
import type { Context } from "../context.ts";
import { AppError, overloaded } from "../errors.ts";
import { collectAbandonedGarbage } from "../lib/garbage.ts";
import { MAX_DOWNLOADS, MAX_STREAMS, STREAM_BYTES, UNREAD_MEMORY, WAITING_BYTES } from "./limits.ts";
import { networkOf } from "./rate-limit.ts";

/** Ids of the session and the account that open a stream. */
interface StreamOwner {
  session: string;
  account: string;
}

interface OpenStream {
  /** Aborts when the stream is closed in favour of a newer one. */
  readonly signal: AbortSignal;
  close(): void;
}

/** Live streams of this server. Above the limit of a session or account its oldest stream is closed. */
export class LiveStreams {
  readonly #capacity = new Capacity({
    session: { max: MAX_STREAMS.session, endsOldest: true },
    account: { max: MAX_STREAMS.account, endsOldest: true },
    all: { max: MAX_STREAMS.all, endsOldest: false },
  });

  get open(): number {
    return this.#capacity.held("all", "");
  }

  /** Registers a stream. Throws UNAVAILABLE if the server has reached its maximum. */
  take({ session, account }: StreamOwner): OpenStream {
    const ending = new AbortController();
    const end = () => {
      ending.abort();
      collectAbandonedGarbage(STREAM_BYTES);
    };
    const close = this.#capacity.take({ keys: { session, account, all: "" }, end });
    if (close) return { signal: ending.signal, close };
    throw overloaded();
  }
}

/**
 * Error of a stream that was closed in favour of a newer one. The browser must not reconnect by itself, because that would
 * close another stream.
 */
export function tooManyStreams(): AppError {
  return new AppError("RATE_LIMITED", "This page is open in too many places, so it no longer updates here");
}

/** Files that this server is sending. Their readers may be as slow as they like, so each may have a limited number. */
export class Downloads {
  readonly #capacity = new Capacity({
    reader: { max: MAX_DOWNLOADS.reader, endsOldest: true },
    all: { max: MAX_DOWNLOADS.all, endsOldest: true, ofLargest: "reader" },
  });

  /**
   * Counts a response until its last byte is sent; above the limit of its account or network the oldest one breaks off, and above
   * that of the server the oldest of whoever has most.
   */
  begin({ actor, address }: Pick<Context, "actor" | "address">, { outgoing }: HttpBindings): void {
    if (outgoing.closed) return;
    const reader = actor.kind === "guest" ? networkOf(address) : actor.user._id;
    const release = this.#capacity.take({ keys: { reader, all: "" }, end: () => outgoing.destroy() });
    if (release) outgoing.once("close", release);
  }
}

/**
 * Middleware that bounds the memory of finished responses until their clients have read them, for each network and in all.
 * Above the bound of a network its oldest ones break off; above that of all, the oldest of the network that holds most. A
 * pipelined request waits for the response before it, and counts too.
 */
export function limitUnread(addressOf: (c: HonoContext) => string) {
  const memory = new Capacity({
    address: { max: UNREAD_MEMORY.address, endsOldest: true },
    all: { max: UNREAD_MEMORY.all, endsOldest: true, ofLargest: "address" },
  });
  function hold(c: HonoContext, amount: number): () => void {
    const { incoming }: HttpBindings = c.env;
    const end = () => {
      incoming.socket.destroy();
      collectAbandonedGarbage(amount);
    };
    const release = memory.take({ amount, keys: { address: addressOf(c), all: "" }, end });
    if (!release) end();
    return () => release?.();
  }
  async function waitForTurn(c: HonoContext): Promise<void> {
    const { incoming, outgoing }: HttpBindings = c.env;
    const release = hold(c, WAITING_BYTES);
    try {
      // Throws if the connection breaks off.
      await Promise.race([once(outgoing, "socket"), once(incoming, "close")]);
    } finally {
      release();
    }
  }
  return async (c: HonoContext, next: Next): Promise<void> => {
    const { outgoing }: HttpBindings = c.env;
    if (!outgoing.socket) await waitForTurn(c);
    outgoing.on("prefinish", () => {
      // What the operating system has not taken.
      const amount = outgoing.writableLength;
      if (amount > 0) outgoing.once("close", hold(c, amount));
    });
    return next();
  };
}

/** A part of the capacity that one request or stream holds. */
interface Holding<Group extends string> {
  amount: number;
  keys: Readonly<Record<Group, string>>;
  mayEnd: () => boolean;
  end: () => void;
}

/** All holdings under one key of one group, oldest first. */
interface Share<Group extends string> {
  amount: number;
  holdings: Set<Holding<Group>>;
}

interface Bound<Group extends string> {
  max: number;
  /** True: a new holding ends the oldest ones. False: the new one is refused. */
  endsOldest: boolean;
  /** Only those under the key of this group that holds most are ended. */
  ofLargest?: Group;
}

interface CapacityRequest<Group extends string> {
  amount?: number;
  keys: Record<Group, string>;
  /** Whether it may be ended now to make room for a newer one. Default: always. */
  mayEnd?: () => boolean;
  /** Called when it was ended for a newer one; its capacity is released already. */
  end?: () => void;
}

/**
 * Limits the use of a scarce resource, such as memory or open streams, by a maximum for each key of each group, for example
 * per address and in total.
 */
export class Capacity<Group extends string> {
  readonly #bounds: [Group, Bound<Group>][];
  readonly #shares = new Map<string, Share<Group>>();

  constructor(bounds: Record<Group, Bound<NoInfer<Group>>>) {
    this.#bounds = Object.entries(bounds) as [Group, Bound<Group>][];
  }

  /** Amount that is in use under a key. */
  held(group: Group, key: string): number {
    return this.#shares.get(shareName(group, key))?.amount ?? 0;
  }

  /** Takes capacity and returns the function that releases it; null if a maximum is reached and nothing can be ended. */
  take({ amount = 1, keys, mayEnd = always, end = nothing }: CapacityRequest<Group>): (() => void) | null {
    const holding: Holding<Group> = { amount, keys, mayEnd, end };
    for (const [group, bound] of this.#bounds) {
      if (!this.#makeRoom(shareName(group, keys[group]), bound, amount)) return null;
    }
    for (const [group] of this.#bounds) this.#add(shareName(group, keys[group]), holding);
    return () => this.#release(holding);
  }

  #makeRoom(name: string, { max, endsOldest, ofLargest }: Bound<Group>, amount: number): boolean {
    const share = this.#shares.get(name);
    if (!share) return amount <= max;
    if (share.amount + amount <= max) return true;
    if (!endsOldest) return false;
    const { holdings } = (ofLargest && this.#largest(ofLargest)) || share;
    for (const oldest of holdings) {
      if (!oldest.mayEnd()) continue;
      this.#release(oldest);
      oldest.end();
      if (share.amount + amount <= max) return true;
    }
    return false;
  }

  #largest(group: Group): Share<Group> | undefined {
    let largest: Share<Group> | undefined;
    for (const [name, share] of this.#shares) {
      const isOfGroup = name.startsWith(shareName(group, ""));
      if (isOfGroup && share.amount > (largest?.amount ?? 0)) largest = share;
    }
    return largest;
  }

  #add(name: string, holding: Holding<Group>): void {
    const share = this.#shares.get(name) ?? { amount: 0, holdings: new Set() };
    this.#shares.set(name, share);
    share.amount += holding.amount;
    share.holdings.add(holding);
  }

  #release(holding: Holding<Group>): void {
    for (const [group] of this.#bounds) {
      const name = shareName(group, holding.keys[group]);
      const share = this.#shares.get(name);
      if (!share?.holdings.delete(holding)) continue;
      share.amount -= holding.amount;
      if (share.holdings.size === 0) this.#shares.delete(name);
    }
  }
}

function shareName(group: string, key: string): string {
  return `${group} ${key}`;
}

function always(): boolean {
  return true;
}

function nothing(): void {}
