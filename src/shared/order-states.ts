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
