import { describe, expect, test } from "vitest";
import {
  canMove,
  FULFILMENTS,
  isStepBack,
  nextState,
  ORDER_MOVES,
  ORDER_STATES,
  type OrderState,
} from "#shared/order-states.ts";

/** The states that an order passes when all is well. */
function way(fulfilment: (typeof FULFILMENTS)[number]): OrderState[] {
  const states: OrderState[] = [];
  let state: OrderState | null = "placed";
  while (state) {
    states.push(state);
    state = nextState({ fulfilment, state });
  }
  return states;
}

describe("order states", () => {
  test("lead from placed to delivered one step at a time", () => {
    const path = ["placed", "printing", "printed", "dispatched", "delivered"] as const;
    for (const [from, to] of path.slice(1).map((to, index) => [path[index] ?? to, to] as const)) {
      expect(canMove({ fulfilment: "delivery", state: from }, to)).toBe(true);
    }
    expect(way("delivery")).toEqual(path);
  });

  test("lead an order for pickup from printed to delivered, without dispatched", () => {
    expect(way("pickup")).toEqual(["placed", "printing", "printed", "delivered"]);
    expect(canMove({ fulfilment: "pickup", state: "printed" }, "dispatched")).toBe(false);
    expect(canMove({ fulfilment: "delivery", state: "printed" }, "delivered")).toBe(false);
  });

  test.each(FULFILMENTS)("step back only from printed to printing (%s)", (fulfilment) => {
    const back = ORDER_STATES.flatMap((from, step) =>
      ORDER_STATES.slice(0, step)
        .filter((to) => canMove({ fulfilment, state: from }, to))
        .map((to) => [from, to]),
    );
    expect(back).toEqual([["printed", "printing"]]);
    expect(isStepBack("printed", "printing")).toBe(true);
    expect(isStepBack("placed", "printing")).toBe(false);
  });

  test.each(FULFILMENTS)("never skip a step or repeat a state (%s)", (fulfilment) => {
    expect(canMove({ fulfilment, state: "placed" }, "printed")).toBe(false);
    for (const state of ORDER_STATES) expect(canMove({ fulfilment, state }, state)).toBe(false);
  });

  test.each(FULFILMENTS)("end at delivered and cancelled (%s)", (fulfilment) => {
    expect(ORDER_MOVES[fulfilment].delivered).toEqual([]);
    expect(ORDER_MOVES[fulfilment].cancelled).toEqual([]);
  });

  test.each(FULFILMENTS)("allow cancelling until an order has left the shop (%s)", (fulfilment) => {
    const cancellable = ORDER_STATES.filter((state) => canMove({ fulfilment, state }, "cancelled"));
    expect(cancellable).toEqual(["placed", "printing", "printed"]);
  });
});
