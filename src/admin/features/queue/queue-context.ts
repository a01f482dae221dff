import { createContext, use } from "react";
import type { Movable } from "../order/movable.ts";

/** What can be done with an order wherever it stands. It stays the same, so that no list is drawn anew for it. */
export interface QueueActions {
  /** Opens the order beside the list, or closes what is open. */
  open: (orderId: string | undefined) => void;
  moveOn: (orders: readonly Movable[]) => void;
  choose: (order: Movable) => void;
}

export const QueueContext = createContext<QueueActions | null>(null);

export function useQueueActions(): QueueActions {
  const actions = use(QueueContext);
  if (!actions) throw new Error("There is no order queue around this");
  return actions;
}
