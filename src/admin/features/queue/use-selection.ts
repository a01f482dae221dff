import { useCallback, useState } from "react";
import { nextState } from "#shared/order-states.ts";
import type { Movable } from "../order/movable.ts";

export interface Selection {
  orders: readonly Movable[];
  toggle: (order: Movable) => void;
  clear: () => void;
}

/** The orders that are chosen to be moved together, each as it was when it was chosen. */
export function useSelection(): Selection {
  const [orders, setOrders] = useState<readonly Movable[]>([]);
  const toggle = useCallback((order: Movable) => setOrders((chosen) => toggled(chosen, order)), []);
  const clear = useCallback(() => setOrders([]), []);
  return { orders, toggle, clear };
}

function toggled(chosen: readonly Movable[], order: Movable): readonly Movable[] {
  const others = chosen.filter(({ id }) => id !== order.id);
  const isNew = others.length === chosen.length && nextState(order) !== null;
  return isNew ? [...others, order] : others;
}
