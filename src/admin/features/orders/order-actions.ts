import { createContext, use } from "react";
import type { MovableOrder } from "../order/order-types.ts";

/** What can be done with an order wherever it stands. It stays the same, so that no list is drawn anew for it. */
export interface OrderActions {
  /** Opens the order beside the list, or closes what is open. */
  open: (orderId: string | undefined) => void;
  moveOn: (orders: readonly MovableOrder[]) => void;
  choose: (order: MovableOrder) => void;
}

export const OrderActionsContext = createContext<OrderActions | null>(null);

export function useOrderActions(): OrderActions {
  const actions = use(OrderActionsContext);
  if (!actions) throw new Error("There is no order queue around this");
  return actions;
}
