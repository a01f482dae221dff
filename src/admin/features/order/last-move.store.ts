import { create } from "zustand";
import type { OrderState } from "#shared/order-states.ts";
import type { BoardData, MovableOrder } from "./order-types.ts";

/** The last move of this tab on the board, which tells of it where the first card was, until the next move. */
export interface LastMove {
  /** The orders as they were before. */
  orders: readonly MovableOrder[];
  to: OrderState;
  /** What happened, such as `moved to Printing`. */
  text: string;
  /** Takes it back; left out where that is not possible. */
  undo?: (() => void) | undefined;
}

const useStore = create<{ last: LastMove | null }>(() => ({ last: null }));

/** The last move, as long as its orders are where they were moved to; null if somebody has moved one since. */
export function useLastMove(board: BoardData | undefined): LastMove | null {
  const last = useStore((store) => store.last);
  if (!last || !board) return null;
  const lists = [board.counter, ...board.columns].map(({ cards }) => cards);
  const ids = last.orders.map(({ id }) => id);
  const cards = [...lists, board.delivered].flat().filter(({ id }) => ids.includes(id));
  return cards.every(({ state }) => state === last.to) ? last : null;
}

export function lastMove(): LastMove | null {
  return useStore.getState().last;
}

export function forgetLastMove(): void {
  useStore.setState({ last: null });
}

/** Tells of a move in the place of its card. False where the board does not show the order, so that it is told elsewhere. */
export function tellAtCard(move: LastMove): boolean {
  const id = move.orders[0]?.id ?? "";
  const card = document.querySelector(`[data-column] [data-order-id="${CSS.escape(id)}"]`);
  if (!card?.checkVisibility()) return false;
  useStore.setState({ last: move });
  return true;
}

/** Adds to what is told of this move, unless there was another one since. */
export function tellMore(move: LastMove, more: Partial<LastMove>): void {
  if (useStore.getState().last === move) useStore.setState({ last: { ...move, ...more } });
}
