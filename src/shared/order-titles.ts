import type { OrderPlace, OrderState } from "./order-states.ts";

/** What each state is called to the student. */
export const STATE_TITLES: Record<OrderState, string> = {
  placed: "Placed",
  printing: "Being printed",
  printed: "Printed",
  dispatched: "On its way",
  delivered: "Delivered",
  cancelled: "Cancelled by the shop",
};

/** The same, where it is different for an order that is fetched. */
const PICKUP_TITLES: Partial<Record<OrderState, string>> = {
  printed: "Ready for pickup",
  delivered: "Picked up",
};

export function stateTitle({ state, fulfilment }: OrderPlace): string {
  return (fulfilment === "pickup" && PICKUP_TITLES[state]) || STATE_TITLES[state];
}
