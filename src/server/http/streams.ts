import { AppError } from "../errors.ts";
import { collectAbandoned } from "../lib/garbage.ts";
import { Capacity } from "./capacity.ts";
import { MAX_STREAMS, STREAM_BYTES } from "./limits.ts";

/** Of the session and account that opens a stream. */
interface StreamOwner {
  session: string;
  account: string;
}

export interface OpenStream {
  /** Aborts once the stream has to give way to a newer one. */
  readonly signal: AbortSignal;
  close(): void;
}

/** Live streams of this server: where a session or an account has too many its oldest ends. */
export class LiveStreams {
  readonly #capacity = new Capacity({
    session: { max: MAX_STREAMS.session, endsOldest: true },
    account: { max: MAX_STREAMS.account, endsOldest: true },
    all: { max: MAX_STREAMS.all, endsOldest: false },
  });

  get open(): number {
    return this.#capacity.held("all", "");
  }

  /** Throws UNAVAILABLE where the server has as many as it can hold. */
  take({ session, account }: StreamOwner): OpenStream {
    const ending = new AbortController();
    const end = () => {
      ending.abort();
      collectAbandoned(STREAM_BYTES);
    };
    const close = this.#capacity.take({ keys: { session, account, all: "" }, end });
    if (close) return { signal: ending.signal, close };
    throw new AppError("UNAVAILABLE", "The store has too much to do at the moment. Please try again shortly");
  }
}

/** The end of a stream that gave way. The browser must not open it again by itself: it would end the next one. */
export function gaveWay(): AppError {
  return new AppError(
    "RATE_LIMITED",
    "This was opened in so many other places that it no longer updates itself here",
  );
}
