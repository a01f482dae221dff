import { createContext, use, useCallback, useState } from "react";
import { nextState } from "#shared/order-states.ts";
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

export interface Selection {
  orders: readonly MovableOrder[];
  toggle: (order: MovableOrder) => void;
  clear: () => void;
  remove: (orderIds: readonly string[]) => void;
}

/** The orders selected to be moved together, each as it was when it was selected; none of a shop that is no longer shown. */
export function useSelection(shopId: string | undefined): Selection {
  const [orders, setOrders] = useState<readonly MovableOrder[]>([]);
  const [shownShop, setShownShop] = useState(shopId);
  if (shownShop !== shopId) {
    setShownShop(shopId);
    setOrders([]);
  }
  const toggle = useCallback((order: MovableOrder) => setOrders((chosen) => toggled(chosen, order)), []);
  const clear = useCallback(() => setOrders([]), []);
  const remove = useCallback(
    (orderIds: readonly string[]) => setOrders((chosen) => chosen.filter(({ id }) => !orderIds.includes(id))),
    [],
  );
  return { orders, toggle, clear, remove };
}

function toggled(chosen: readonly MovableOrder[], order: MovableOrder): readonly MovableOrder[] {
  const others = chosen.filter(({ id }) => id !== order.id);
  const isNew = others.length === chosen.length && nextState(order) !== null;
  return isNew ? [...others, order] : others;
}
