import type { QueueEvent } from "#shared/queue-events.ts";
import type { Context, StaffMember } from "../context.ts";
import { AppError } from "../errors.ts";
import { asStaff } from "../staff/staff.access.service.ts";
import { findLogEntries, findLogHead, findLogStart, type LogEntry } from "./queue.log-queries.ts";

/** How long a silent stream may go on for someone whose session or role has ended. */
const RECHECK_MS = 5000;
/** Entries that are read at once by a screen that was away. */
const BATCH = 500;

/**
 * Everything that happens in the caller's shops, as it happens, until `signal` aborts. From `lastEventId` on nothing
 * is left out; where the log does not reach back so far, and at a first start, a `sync` comes first. Throws
 * UNAUTHENTICATED or FORBIDDEN once the session or the role has ended, and UNAVAILABLE when the store stops.
 */
export async function* watchQueue(
  ctx: Context<StaffMember>,
  lastEventId: string | null,
  signal: AbortSignal,
): AsyncGenerator<QueueEvent> {
  const ending = AbortSignal.any([signal, ctx.closing]);
  let position = await resumeFrom(ctx, lastEventId);
  if (position === null) {
    position = await findLogHead(ctx.readDb);
    yield { id: String(position), kind: "sync" };
  }
  while (!ending.aborted) {
    const heard = ctx.queueBell.rings;
    const { shops } = await stillStaff(ctx);
    const head = await findLogHead(ctx.readDb);
    while (position < head && !ending.aborted) {
      const upTo = Math.min(position + BATCH, head);
      for (const entry of await findLogEntries(ctx.readDb, { after: position, upTo, shops })) {
        yield toEvent(entry);
      }
      position = upTo;
    }
    await ctx.queueBell.wait(heard, RECHECK_MS, ending);
  }
  if (ctx.closing.aborted) throw new AppError("UNAVAILABLE", "The store is restarting");
}

/** The number after which to go on, where nothing since then is lost. */
async function resumeFrom({ readDb }: Context, lastEventId: string | null): Promise<number | null> {
  if (!lastEventId || !/^\d{1,15}$/.test(lastEventId)) return null;
  const last = Number(lastEventId);
  const head = await findLogHead(readDb);
  const start = (await findLogStart(readDb)) ?? head + 1;
  return last <= head && last >= start - 1 ? last : null;
}

/** The caller as the database knows them at this moment, for a stream outlives the request that began it. */
async function stillStaff(ctx: Context): Promise<StaffMember> {
  const session = ctx.cookie.token ? await ctx.sessions.resolve(ctx.cookie.token) : null;
  if (!session) throw new AppError("UNAUTHENTICATED", "Please login to continue");
  return asStaff(ctx, session.user);
}

function toEvent(entry: LogEntry): QueueEvent {
  return {
    id: String(entry.seq),
    kind: entry.kind,
    orderId: entry.order_id,
    shopId: entry.shop_id,
    state: entry.state,
    at: entry.created_at,
  };
}
