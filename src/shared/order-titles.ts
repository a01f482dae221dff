import type { OrderPlace, OrderState } from "./order-states.ts";

/** The names of the states for students. */
export const STATE_TITLES: Record<OrderState, string> = {
  placed: "Placed",
  printing: "Being printed",
  printed: "Printed",
  dispatched: "On its way",
  delivered: "Delivered",
  cancelled: "Cancelled by the shop",
};

/** The names that differ for pickup. */
const PICKUP_TITLES: Partial<Record<OrderState, string>> = {
  printed: "Ready for pickup",
  delivered: "Picked up",
};

export function stateTitle({ state, fulfilment }: OrderPlace): string {
  return (fulfilment === "pickup" && PICKUP_TITLES[state]) || STATE_TITLES[state];
}
