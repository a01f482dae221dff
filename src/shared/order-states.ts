import type { Fulfilment } from "./fulfilment.ts";

export const ORDER_STATES = [
  "placed",
  "printing",
  "printed",
  "dispatched",
  "delivered",
  "cancelled",
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/**
 * Which states an order may move to, by how it reaches the student; read by the server and by every button that moves one.
 * The way on stands first. A printed order goes back to printing only while its files are there.
 */
export const ORDER_MOVES = {
  delivery: {
    placed: ["printing", "cancelled"],
    printing: ["printed", "cancelled"],
    printed: ["dispatched", "printing", "cancelled"],
    dispatched: ["delivered"],
    delivered: [],
    cancelled: [],
  },
  /** Printed is ready for pickup: it is handed over next. */
  pickup: {
    placed: ["printing", "cancelled"],
    printing: ["printed", "cancelled"],
    printed: ["delivered", "printing", "cancelled"],
    dispatched: [],
    delivered: [],
    cancelled: [],
  },
} as const satisfies Record<Fulfilment, Record<OrderState, readonly OrderState[]>>;

/** What decides where an order may go. */
export interface OrderPlace {
  state: OrderState;
  fulfilment: Fulfilment;
}

export function canMove({ fulfilment, state }: OrderPlace, to: OrderState): boolean {
  return (ORDER_MOVES[fulfilment][state] as readonly OrderState[]).includes(to);
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
export function nextState({ fulfilment, state }: OrderPlace): OrderState | null {
  return ORDER_MOVES[fulfilment][state].find((next) => next !== "cancelled") ?? null;
}

/** Whether the next step of an order is to hand it over to whoever knows its pickup code. */
export function awaitsPickup({ fulfilment, state }: OrderPlace): boolean {
  return fulfilment === "pickup" && state === "printed";
}

/** Whether a move takes back that an order is printed, such as after a paper jam. */
export function isStepBack(from: OrderState, to: OrderState): boolean {
  return from === "printed" && to === "printing";
}

/**
 * The states in which nobody needs an order's files any more: they are deleted on the way there. Those of a printed order
 * are kept for a time of grace before.
 */
export const DELETES_FILES: readonly OrderState[] = ["dispatched", "delivered", "cancelled"];

/** How long the mail that an order is ready waits, so that none is sent of an order that is taken back at once. */
export const READY_MAIL_WAIT_MS = 90 * 1000;
