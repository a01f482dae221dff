import type { OrderState } from "#shared/order-states.ts";

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
