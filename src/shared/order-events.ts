import type { OrderState } from "./order-states.ts";

/**
 * What a student who follows their orders is told. `id` is the place from which they can go on later. After `sync`
 * every change is told of, but changes before it may not have been: what was loaded then is loaded again.
 */
export type OwnOrderEvent =
  | { id: string; kind: "sync" }
  | { id: string; kind: "changed"; orderId: string; state: OrderState };
