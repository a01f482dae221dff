import type { OrderState } from "./order-states.ts";

/** What the students' and the staff's screens follow by server-sent events: which procedure sends what. */
export interface LiveProcedures {
  "board.live": BoardEvent | AliveSign;
  "orders.live": OwnOrderEvent;
}

/** The server pings each stream so often: proxies cut connections that are silent for a minute. */
export const LIVE_PING_MS = 10_000;

/**
 * A staff stream without events sends `alive` so often, so that the console sees a dead line soon. Students' streams have
 * only the pings, which do not wake a phone as often.
 */
export const LIVE_SIGN_MS = 5000;

/** What happened to an order; `files`: they were deleted; `held`: anything about a hold, or another option. */
export const LIVE_EVENT_KINDS = ["placed", "moved", "noted", "paid", "reprint", "files", "held"] as const;
export type LiveEventKind = (typeof LIVE_EVENT_KINDS)[number];

/**
 * An event for the staff's screens. `id` is its place in the log; a screen that connects again continues after it. After
 * `sync` every event is sent, but earlier ones may be missing: the screen loads its data again. `alive` says only that the
 * line holds.
 */
export type BoardEvent = { id: string; kind: "sync" } | OrderEvent;
export interface AliveSign {
  id: string;
  kind: "alive";
}

export interface OrderEvent {
  id: string;
  kind: LiveEventKind;
  orderId: string;
  shopId: string;
  /** The order's state after the event. */
  state: OrderState;
  /** ISO 8601 in UTC. */
  at: string;
}

/** An event for a student's own orders, with the same meaning of `id` and `sync`. */
export type OwnOrderEvent =
  | { id: string; kind: "sync" }
  | { id: string; kind: "changed"; orderId: string; state: OrderState };
