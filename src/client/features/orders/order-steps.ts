import { nextState, type OrderPlace, type OrderState } from "#shared/order-states.ts";
import type { OrderDetail } from "./own-order.ts";

/** One step of an order's way, reached or still to come. */
export interface OrderStep {
  state: OrderState;
  title: string;
  /** When it was reached; ISO 8601 in UTC. Null while it is to come. */
  at: string | null;
  isCurrent: boolean;
}

const STEP_TITLES: Record<OrderState, string> = {
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

/** The way of an order: the steps that it took with their times, then those that follow when all is well. */
export function stepsOf({ reached, ...place }: OrderPlace & Pick<OrderDetail, "reached">): OrderStep[] {
  const { state } = place;
  const taken = reached.map((step) => ({ ...step, isCurrent: step.state === state }));
  const later = statesAfter(place).map((next) => ({ state: next, at: null, isCurrent: false }));
  return [...taken, ...later].map((step) => ({ ...step, title: titleOf(step.state, place) }));
}

function titleOf(state: OrderState, { fulfilment }: OrderPlace): string {
  return (fulfilment === "pickup" && PICKUP_TITLES[state]) || STEP_TITLES[state];
}

function statesAfter({ fulfilment, state }: OrderPlace): OrderState[] {
  const next = nextState({ fulfilment, state });
  return next ? [next, ...statesAfter({ fulfilment, state: next })] : [];
}
