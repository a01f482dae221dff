import type { OwnOrderEvent } from "#shared/order-events.ts";
import { stillSignedIn } from "../accounts/accounts.presence.service.ts";
import type { Context, SignedIn } from "../context.ts";
import { followLog, type LogRange, RECHECK_MS } from "../queue/queue.follow.service.ts";
import { findOwnLogEntries } from "./orders.live-queries.ts";

/**
 * What happens to the caller's own orders, as it happens, until `signal` aborts; nothing since `lastEventId` is left
 * out. Throws UNAUTHENTICATED once the session has ended, and UNAVAILABLE when the store stops.
 */
export async function* watchOwnOrders(
  ctx: Context<SignedIn>,
  lastEventId: string | null,
  signal: AbortSignal,
): AsyncGenerator<OwnOrderEvent> {
  for await (const entry of followLog(ctx, { lastEventId, signal, read: ownReader(ctx) })) {
    const id = String(entry.seq);
    if (entry.kind === "sync") yield { id, kind: "sync" };
    else yield { id, kind: "changed", orderId: entry.order_id, state: entry.state };
  }
}

/**
 * Every move of anybody's order wakes every follower, and is of interest to one of them: the session is looked at only
 * before something is told, and every few seconds.
 */
function ownReader(ctx: Context<SignedIn>) {
  const userId = ctx.actor.user._id;
  let checkedAt = 0;
  return async (range: LogRange) => {
    const entries = range.after < range.upTo ? await findOwnLogEntries(ctx.readDb, { ...range, userId }) : [];
    if (entries.length > 0 || performance.now() - checkedAt >= RECHECK_MS) {
      await stillSignedIn(ctx);
      checkedAt = performance.now();
    }
    return entries;
  };
}
