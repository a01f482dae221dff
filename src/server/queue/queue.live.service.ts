import type { QueueEvent } from "#shared/queue-events.ts";
import { stillSignedIn } from "../accounts/accounts.presence.service.ts";
import type { Context, StaffMember } from "../context.ts";
import { asStaff } from "../staff/staff.access.service.ts";
import { followLog, type SyncMark } from "./queue.follow.service.ts";
import { findLogEntries, type LogEntry } from "./queue.log-queries.ts";

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
