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

/** The way of an order: the steps that it took with their times, then those that follow when all is well. */
export function stepsOf({ reached, ...place }: OrderPlace & Pick<OrderDetail, "reached">): OrderStep[] {
  const { state } = place;
  const taken = reached.map((step) => toStep(step.state, step.at, step.state === state));
  return [...taken, ...statesAfter(place).map((later) => toStep(later, null, false))];
}

function toStep(state: OrderState, at: string | null, isCurrent: boolean): OrderStep {
  return { state, title: STEP_TITLES[state], at, isCurrent };
}

function statesAfter({ fulfilment, state }: OrderPlace): OrderState[] {
  const next = nextState({ fulfilment, state });
  return next ? [next, ...statesAfter({ fulfilment, state: next })] : [];
}
