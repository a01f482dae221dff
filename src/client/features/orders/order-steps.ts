import type { OwnOrderDetail } from "#server/orders/orders.service.ts";
import { nextState, type OrderPlace, type OrderState, stateTitle } from "#shared/order-states.ts";

/** One step of an order's progress, reached or not yet. */
interface OrderStep {
  state: OrderState;
  title: string;
  /** When it was reached, ISO 8601 in UTC; null if not yet. */
  at: string | null;
  isCurrent: boolean;
}

/**
 * The progress of an order: the steps that it reached with their times, then the expected ones. Steps that were
 * undone are left out; it was placed only once.
 */
export function stepsOf({ reached, ...place }: OrderPlace & Pick<OwnOrderDetail, "reached">): OrderStep[] {
  const { state } = place;
  const taken = wayOf(reached).map((step) => ({ ...step, isCurrent: step.state === state }));
  const later = statesAfter(place).map((next) => ({ state: next, at: null, isCurrent: false }));
  return [...taken, ...later].map((step) => ({
    ...step,
    title: stateTitle({ ...place, state: step.state }),
  }));
}

function wayOf(reached: OwnOrderDetail["reached"]): OwnOrderDetail["reached"] {
  const way: OwnOrderDetail["reached"] = [];
  for (const step of reached) {
    const before = way.findIndex(({ state }) => state === step.state);
    if (before >= 0) way.length = before;
    way.push(way.length === 0 ? (reached[0] ?? step) : step);
  }
  return way;
}

function statesAfter({ fulfilment, state }: OrderPlace): OrderState[] {
  const next = nextState({ fulfilment, state });
  return next ? [next, ...statesAfter({ fulfilment, state: next })] : [];
}
