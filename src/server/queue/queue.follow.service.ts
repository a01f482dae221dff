import type { Context } from "../context.ts";
import { AppError } from "../errors.ts";
import { gaveWay } from "../http/streams.ts";
import type { Concerns } from "./queue.bell.ts";
import { findLogHead, findLogStart, type LogEntry } from "./queue.log-queries.ts";

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
export interface SyncMark {
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
export async function* followLog(
  ctx: Context,
  { lastEventId, signal, concerns, read }: Following,
): AsyncGenerator<SyncMark | LogEntry> {
  const stream = ctx.streams.take(ownerOf(ctx));
  const ending = AbortSignal.any([signal, ctx.closing, stream.signal]);
  const follower = await ctx.queueBell.follow(concerns).catch((error: unknown) => {
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
      const heard = follower.rings;
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
