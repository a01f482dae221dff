import type { OrderState } from "./order-states.ts";

/** What happens to an order in the queue; `files`: they were deleted. */
export const QUEUE_EVENT_KINDS = ["placed", "moved", "noted", "paid", "reprint", "files"] as const;
export type QueueEventKind = (typeof QUEUE_EVENT_KINDS)[number];

/**
 * What a screen that follows the queue is told. `id` is the place in the log from which the screen can go on later.
 * After `sync` every change is told of, but changes before it may not have been: what was loaded then is loaded again.
 */
export type QueueEvent = { id: string; kind: "sync" } | OrderEvent;

export interface OrderEvent {
  id: string;
  kind: QueueEventKind;
  orderId: string;
  shopId: string;
  /** The order's state after it. */
  state: OrderState;
  /** ISO 8601 in UTC. */
  at: string;
}
