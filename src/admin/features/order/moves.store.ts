import { useLayoutEffect, useState } from "react";
import { create } from "zustand";
import type { OrderState } from "#shared/order-states.ts";
import { IGNORE_PRESS_MS } from "#ui/double-press.ts";
import type { BoardData, MovableOrder } from "./order-types.ts";

export interface Move {
  orderId: string;
  from: OrderState;
  to: OrderState;
}

/** Sends moves to the server. @returns the ids of the orders that it moved */
export type SendMoves = (moves: Move[]) => Promise<string[]>;

/** By order id: whether its last move succeeds, for orders whose moves the server has not all answered. */
const lastMoves = new Map<string, Promise<boolean>>();

/**
 * Sends moves after the server has answered earlier moves of the same orders. If an earlier one failed, the later move
 * of that order is dropped: it was meant for a state that the order never reached.
 */
export async function sendInOrder(moves: Move[], send: SendMoves): Promise<void> {
  const sent = sendDue(moves, send);
  const results = moves.map(({ orderId }) => ({
    orderId,
    isMade: sent.then((ids) => ids.includes(orderId)),
  }));
  for (const { orderId, isMade } of results) lastMoves.set(orderId, isMade);
  await sent;
  for (const { orderId, isMade } of results) {
    if (lastMoves.get(orderId) === isMade) lastMoves.delete(orderId);
  }
}

async function sendDue(moves: Move[], send: SendMoves): Promise<string[]> {
  const areDue = await Promise.all(moves.map(({ orderId }) => lastMoves.get(orderId) ?? true));
  const due = moves.filter((_, index) => areDue[index]);
  return due.length > 0 ? send(due) : [];
}

/** Waits until the server has answered all moves of this order so far. */
export async function waitForMoves(orderId: string): Promise<void> {
  await lastMoves.get(orderId);
}

/** Whether any move is not sent or not answered yet. */
export function hasPendingMoves(): boolean {
  return lastMoves.size > 0;
}

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

/**
 * Whether somebody else moved this order within the last second, so that its buttons changed: a press is still meant for
 * those that were there before. Its next move is ignored meanwhile.
 */
export function useMovedElsewhere({ id, state }: Pick<MovableOrder, "id" | "state">): boolean {
  const [shown, setShown] = useState({ id, state, isMovedElsewhere: false });
  const isSame = shown.id === id && shown.state === state;
  if (!isSame) setShown({ id, state, isMovedElsewhere: shown.id === id && !isJustMoved({ id }) });
  useLayoutEffect(() => {
    if (!shown.isMovedElsewhere) return;
    markJustMoved([shown]);
    const timer = setTimeout(() => setShown({ ...shown, isMovedElsewhere: false }), IGNORE_PRESS_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return shown.isMovedElsewhere;
}

/** The last move of this tab on the board, which has a note of it where the first card was, until the next move. */
export interface LastMove {
  /** The orders as they were before. */
  orders: readonly MovableOrder[];
  to: OrderState;
  /** What happened, such as `moved to Printing`. */
  text: string;
  /** Takes it back; left out where that is not possible. */
  undo?: (() => void) | undefined;
}

const useLastMoveState = create<{ last: LastMove | null }>(() => ({ last: null }));

/**
 * The last move, as long as its orders are where they were moved to; null if somebody has moved or cancelled one since.
 * @param isFiltered whether the board leaves orders out
 */
export function useLastMove(board: BoardData | undefined, isFiltered: boolean): LastMove | null {
  const last = useLastMoveState((store) => store.last);
  if (!last || !board) return null;
  const parts = [board.counter, ...board.columns];
  const lists = parts.map(({ cards }) => cards);
  const ids = last.orders.map(({ id }) => id);
  const cards = [...lists, board.delivered].flat().filter(({ id }) => ids.includes(id));
  const showsAll = !isFiltered && parts.every((part) => part.count === part.cards.length);
  // Of the delivered ones only the latest are listed, but none of them can be undone.
  if (last.undo && showsAll && cards.length < ids.length) return null;
  return cards.every(({ state }) => state === last.to) ? last : null;
}

export function lastMove(): LastMove | null {
  return useLastMoveState.getState().last;
}

export function forgetLastMove(): void {
  useLastMoveState.setState({ last: null });
}

/** Notes a move in the place of its card. False where the board does not show the order: then it must be said elsewhere. */
export function showAtCard(move: LastMove): boolean {
  const id = move.orders[0]?.id ?? "";
  const card = document.querySelector(`[data-column] [data-order-id="${CSS.escape(id)}"]`);
  if (!card?.checkVisibility()) return false;
  useLastMoveState.setState({ last: move });
  return true;
}

/** Adds to the note of this move, unless there was another one since. */
export function extendNote(move: LastMove, more: Partial<LastMove>): void {
  if (useLastMoveState.getState().last === move) useLastMoveState.setState({ last: { ...move, ...more } });
}

/** The pickup order whose code is being entered. */
export const useHandOver = create<{ order: MovableOrder | null }>(() => ({ order: null }));

export function startHandOver(order: MovableOrder): void {
  useHandOver.setState({ order });
}

/** Whether the form of this order is open. */
export function isHandingOver({ id }: MovableOrder): boolean {
  return useHandOver.getState().order?.id === id;
}

export function endHandOver(): void {
  useHandOver.setState({ order: null });
}
