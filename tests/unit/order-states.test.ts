import { describe, expect, test } from "vitest";
import { canMove, ORDER_MOVES, ORDER_STATES } from "#shared/order-states.ts";

describe("order states", () => {
  test("lead from placed to delivered one step at a time", () => {
    const path = ["placed", "printing", "printed", "dispatched", "delivered"] as const;
    for (const [from, to] of path.slice(1).map((to, index) => [path[index] ?? to, to] as const)) {
      expect(canMove(from, to)).toBe(true);
    }
  });

  test("never skip a step, go back or stay", () => {
    expect(canMove("placed", "printed")).toBe(false);
    expect(canMove("printed", "printing")).toBe(false);
    for (const state of ORDER_STATES) expect(canMove(state, state)).toBe(false);
  });

  test("end with delivered and cancelled", () => {
    expect(ORDER_MOVES.delivered).toEqual([]);
    expect(ORDER_MOVES.cancelled).toEqual([]);
  });

  test("allow cancelling until an order has left the shop", () => {
    const cancellable = ORDER_STATES.filter((state) => canMove(state, "cancelled"));
    expect(cancellable).toEqual(["placed", "printing", "printed"]);
  });
});
