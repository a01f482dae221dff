import type { OrderState } from "#shared/order-states.ts";

export interface Change {
  orderId: string;
  from: OrderState;
  to: OrderState;
}

/** Tells the server of those moves that are due. @returns the ids of the orders that it moved */
export type Tell = (due: Change[]) => Promise<string[]>;

/** Of each order that is being moved, its last move: whether it will have been made. */
const lastMoves = new Map<string, Promise<boolean>>();

/**
 * Has the server told of moves once it has answered the moves of the same orders before them. Where one of those was
 * not made, its order is left out: nobody saw the state that this move would find.
 */
export async function inTurn(changes: Change[], tell: Tell): Promise<void> {
  const told = tellDue(changes, tell);
  const turns = changes.map(({ orderId }) => ({
    orderId,
    isMade: told.then((ids) => ids.includes(orderId)),
  }));
  for (const { orderId, isMade } of turns) lastMoves.set(orderId, isMade);
  await told;
  for (const { orderId, isMade } of turns) {
    if (lastMoves.get(orderId) === isMade) lastMoves.delete(orderId);
  }
}

async function tellDue(changes: Change[], tell: Tell): Promise<string[]> {
  const areDue = await Promise.all(changes.map(({ orderId }) => lastMoves.get(orderId) ?? true));
  const due = changes.filter((_, index) => areDue[index]);
  return due.length > 0 ? tell(due) : [];
}

/** Waits until the server has answered the moves of this order that it was told of so far. */
export async function movesAnswered(orderId: string): Promise<void> {
  await lastMoves.get(orderId);
}

/** Whether a move waits for its turn, or for its answer. */
export function areMovesUnderWay(): boolean {
  return lastMoves.size > 0;
}
