/** How an order reaches the student; `counter`: the person waits at the shop's counter, without an account. */
export const FULFILMENTS = ["delivery", "pickup", "counter"] as const;
export type Fulfilment = (typeof FULFILMENTS)[number];

/** The fulfilments that a logged-in student chooses from. */
export const CHOSEN_FULFILMENTS = ["delivery", "pickup"] as const satisfies readonly Fulfilment[];
export type ChosenFulfilment = (typeof CHOSEN_FULFILMENTS)[number];

export const ORDER_STATES = [
  "placed",
  "printing",
  "printed",
  "dispatched",
  "delivered",
  "cancelled",
] as const;
export type OrderState = (typeof ORDER_STATES)[number];

/** Printed means ready: the order is handed over next, by its pickup code or, at the counter, by name. */
const MOVES_AT_SHOP = {
  placed: ["printing", "cancelled"],
  printing: ["printed", "placed", "cancelled"],
  printed: ["delivered", "printing", "cancelled"],
  dispatched: [],
  delivered: [],
  cancelled: [],
} as const;

/**
 * The states that an order may move to, by fulfilment; the server and all buttons read it. The usual next state comes
 * first. An order that was moved to printing by mistake can return, a printed one only while its files exist; a parcel that
 * nobody takes comes back, and its order is cancelled.
 */
export const ORDER_MOVES = {
  delivery: {
    placed: ["printing", "cancelled"],
    printing: ["printed", "placed", "cancelled"],
    printed: ["dispatched", "printing", "cancelled"],
    dispatched: ["delivered", "cancelled"],
    delivered: [],
    cancelled: [],
  },
  pickup: MOVES_AT_SHOP,
  counter: MOVES_AT_SHOP,
} as const satisfies Record<Fulfilment, Record<OrderState, readonly OrderState[]>>;

/** What decides where an order may move. */
export interface OrderPlace {
  state: OrderState;
  fulfilment: Fulfilment;
  /** Since when it is on hold; null or left out where it is not. */
  heldAt?: string | null;
}

export function canMove({ fulfilment, state, heldAt }: OrderPlace, to: OrderState): boolean {
  if (heldAt && !mayMoveHeld(state, to)) return false;
  return (ORDER_MOVES[fulfilment][state] as readonly OrderState[]).includes(to);
}

/** An order on hold can only be cancelled, or taken back to printing; anything else needs its release first. */
export function mayMoveHeld(from: OrderState, to: OrderState): boolean {
  return to === "cancelled" || isStepBack(from, to);
}

/** The states of orders that still need work. */
export const OPEN_STATES = [
  "placed",
  "printing",
  "printed",
  "dispatched",
] as const satisfies readonly OrderState[];
export type OpenState = (typeof OPEN_STATES)[number];

/** The states in which the shop still has to print an order. Only then can it be changed. */
export const UNPRINTED_STATES: readonly OrderState[] = ["placed", "printing"];

export function isUnprinted(state: OrderState): boolean {
  return UNPRINTED_STATES.includes(state);
}

/** The states in which an order is printed, or printed again while its files are there. */
export const PRINTABLE_STATES: readonly OrderState[] = [...UNPRINTED_STATES, "printed"];

/** The usual next state of an order; null when it is finished. A hold only delays it. */
export function nextState({ fulfilment, state }: OrderPlace): OrderState | null {
  return ORDER_MOVES[fulfilment][state][0] ?? null;
}

/** Whether the next step is to hand the order over to somebody with its pickup code. */
export function awaitsPickup({ fulfilment, state }: OrderPlace): boolean {
  return fulfilment === "pickup" && state === "printed";
}

/** Whether a move undoes the print, for example after a paper jam. */
export function isStepBack(from: OrderState, to: OrderState): boolean {
  return from === "printed" && to === "printing";
}

/**
 * The states in which an order's files are no longer needed: moving there deletes them. The files of a printed order
 * are kept for a grace period first.
 */
export const STATES_WITHOUT_FILES: readonly OrderState[] = ["dispatched", "delivered", "cancelled"];

/** How long the mail "ready for pickup" waits, so that it is not sent when the print is undone at once. */
export const READY_MAIL_WAIT_MS = 90 * 1000;

/** The names of the states for staff. */
export const STATE_NAMES: Record<OrderState, string> = {
  placed: "Placed",
  printing: "Printing",
  printed: "Printed",
  dispatched: "Dispatched",
  delivered: "Delivered",
  cancelled: "Cancelled",
};

/** The names of the states for students. */
const STATE_TITLES: Record<OrderState, string> = {
  placed: "Placed",
  printing: "Being printed",
  printed: "Printed",
  dispatched: "On its way",
  delivered: "Delivered",
  cancelled: "Cancelled",
};

/** The names that differ for a fulfilment. */
export const OTHER_TITLES: Record<Fulfilment, Partial<Record<OrderState, string>>> = {
  delivery: {},
  pickup: { printed: "Ready for pickup", delivered: "Picked up" },
  counter: { placed: "At the counter", printed: "Ready", delivered: "Handed over" },
};

export function stateTitle({ state, fulfilment }: OrderPlace): string {
  return OTHER_TITLES[fulfilment][state] ?? STATE_TITLES[state];
}
