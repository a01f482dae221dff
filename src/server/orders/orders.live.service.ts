import type { OwnOrderEvent } from "#shared/order-events.ts";
import { stillSignedIn } from "../accounts/accounts.presence.service.ts";
import type { Context, SignedIn } from "../context.ts";
import { followLog } from "../queue/queue.follow.service.ts";
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
