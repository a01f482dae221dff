import type { HttpBindings } from "@hono/node-server";
import type { Context } from "../context.ts";
import { AppError, overloaded } from "../errors.ts";
import { collectAbandonedGarbage } from "../lib/garbage.ts";
import { Capacity } from "./capacity.ts";
import { MAX_DOWNLOADS, MAX_STREAMS, STREAM_BYTES } from "./limits.ts";
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
    all: { max: MAX_DOWNLOADS.all, endsOldest: true },
  });

  /** Counts a response until its last byte is sent; above the limit of its account or network the oldest one breaks off. */
  begin({ actor, address }: Pick<Context, "actor" | "address">, { outgoing }: HttpBindings): void {
    if (outgoing.closed) return;
    const reader = actor.kind === "guest" ? networkOf(address) : actor.user._id;
    const release = this.#capacity.take({ keys: { reader, all: "" }, end: () => outgoing.destroy() });
    if (release) outgoing.once("close", release);
  }
}
