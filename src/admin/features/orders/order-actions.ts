import { createContext, use } from "react";
import type { MovableOrder } from "../order/order-types.ts";

/** Actions on an order in any list. The object is constant, so that lists do not render again. */
export interface OrderActions {
  /** Opens the order beside the list; undefined closes it. */
  open: (orderId: string | undefined) => void;
  moveOn: (orders: readonly MovableOrder[]) => void;
  choose: (order: MovableOrder) => void;
}

export const OrderActionsContext = createContext<OrderActions | null>(null);

export function useOrderActions(): OrderActions {
  const actions = use(OrderActionsContext);
  if (!actions) throw new Error("useOrderActions needs an OrderActionsContext");
  return actions;
}
