import { create } from "zustand";
import { IGNORE_PRESS_MS } from "#ui/double-press.ts";

/**
 * Orders that this tab moved within the last second. Further moves are ignored, as they come from a double press.
 */
const useJustMoved = create<{ ids: ReadonlySet<string> }>(() => ({ ids: new Set() }));

export function useIsJustMoved(orderId: string): boolean {
  return useJustMoved(({ ids }) => ids.has(orderId));
}

export function isJustMoved({ id }: { id: string }): boolean {
  return useJustMoved.getState().ids.has(id);
}

/**
 * Whether any order was just moved: the shortcut also moves the focus, so a double press would move another order.
 */
export function isAnyJustMoved(): boolean {
  return useJustMoved.getState().ids.size > 0;
}

export function markJustMoved(orders: readonly { id: string }[]): void {
  const moved = orders.map(({ id }) => id);
  useJustMoved.setState(({ ids }) => ({ ids: new Set([...ids, ...moved]) }));
  setTimeout(() => {
    useJustMoved.setState(({ ids }) => ({ ids: new Set([...ids].filter((id) => !moved.includes(id))) }));
  }, IGNORE_PRESS_MS);
}
