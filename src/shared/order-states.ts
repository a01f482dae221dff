export const ORDER_STATES = [
  "placed",
  "printing",
  "printed",
  "dispatched",
  "delivered",
  "cancelled",
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** Which states an order may move to; read by the server and by every button that moves one. */
export const ORDER_MOVES = {
  placed: ["printing", "cancelled"],
  printing: ["printed", "cancelled"],
  printed: ["dispatched", "cancelled"],
  dispatched: ["delivered"],
  delivered: [],
  cancelled: [],
} as const satisfies Record<OrderState, readonly OrderState[]>;

export function canMove(from: OrderState, to: OrderState): boolean {
  return (ORDER_MOVES[from] as readonly OrderState[]).includes(to);
}

/** The states of orders that somebody still has to do something about. */
export const OPEN_STATES = [
  "placed",
  "printing",
  "printed",
  "dispatched",
] as const satisfies readonly OrderState[];
export type OpenState = (typeof OPEN_STATES)[number];

/** Where an order goes next when all is well; null where nothing is left to do. */
export function nextState(from: OrderState): OrderState | null {
  return ORDER_MOVES[from].find((state) => state !== "cancelled") ?? null;
}

/** The states in which nobody needs an order's files any more: they are deleted on the way there. */
export const DELETES_FILES: readonly OrderState[] = ["printed", "cancelled"];
