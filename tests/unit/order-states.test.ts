import { describe, expect, test } from "vitest";
import {
  awaitsPickup,
  canMove,
  FULFILMENTS,
  type Fulfilment,
  isStepBack,
  isUnprinted,
  nextState,
  OPEN_STATES,
  ORDER_MOVES,
  ORDER_STATES,
  type OrderState,
  PRINTABLE_STATES,
  READY_MAIL_WAIT_MS,
  STATES_WITHOUT_FILES,
  stateTitle,
} from "#shared/order-states.ts";

/** The states of an order without problems. */
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

  test("lead an order at the counter to delivered without dispatched and without a code", () => {
    expect(way("counter")).toEqual(["placed", "printing", "printed", "delivered"]);
    expect(awaitsPickup({ fulfilment: "counter", state: "printed" })).toBe(false);
  });

  test.each(FULFILMENTS)(
    "step back only from printed to printing, and from printing to placed (%s)",
    (fulfilment) => {
      const back = ORDER_STATES.flatMap((from, step) =>
        ORDER_STATES.slice(0, step)
          .filter((to) => canMove({ fulfilment, state: from }, to))
          .map((to) => [from, to]),
      );
      expect(back).toEqual([
        ["printing", "placed"],
        ["printed", "printing"],
      ]);
      expect(isStepBack("printed", "printing")).toBe(true);
      expect(isStepBack("placed", "printing")).toBe(false);
      expect(isStepBack("printing", "placed")).toBe(false);
      expect(isStepBack("printed", "dispatched")).toBe(false);
    },
  );

  test.each(FULFILMENTS)(
    "follow the way, back from printing or printed, or to cancelled, and no other move (%s)",
    (fulfilment) => {
      const path =
        fulfilment !== "delivery"
          ? ["placed", "printing", "printed", "delivered"]
          : ["placed", "printing", "printed", "dispatched", "delivered"];
      const isAllowed = (from: OrderState, to: OrderState) =>
        (path.includes(from) && path[path.indexOf(from) + 1] === to) ||
        (from === "printed" && to === "printing") ||
        (from === "printing" && to === "placed") ||
        (to === "cancelled" && path.slice(0, -1).includes(from));
      const pairs = ORDER_STATES.flatMap((from) => ORDER_STATES.map((to) => [from, to] as const));
      expect(pairs.filter(([from, to]) => canMove({ fulfilment, state: from }, to))).toEqual(
        pairs.filter(([from, to]) => isAllowed(from, to)),
      );
    },
  );

  test("have these names for students", () => {
    const titles = (fulfilment: Fulfilment) => ORDER_STATES.map((state) => stateTitle({ fulfilment, state }));
    const [placed, printing, cancelled] = ["Placed", "Being printed", "Cancelled"];
    expect(titles("delivery")).toEqual([placed, printing, "Printed", "On its way", "Delivered", cancelled]);
    expect(titles("pickup")).toEqual([
      placed,
      printing,
      "Ready for pickup",
      "On its way",
      "Picked up",
      cancelled,
    ]);
    expect(titles("counter")).toEqual([
      "At the counter",
      printing,
      "Ready",
      "On its way",
      "Handed over",
      cancelled,
    ]);
  });

  test("await the student only when a print is ready for pickup", () => {
    const awaiting = FULFILMENTS.flatMap((fulfilment) =>
      ORDER_STATES.filter((state) => awaitsPickup({ fulfilment, state })).map((state) => [fulfilment, state]),
    );
    expect(awaiting).toEqual([["pickup", "printed"]]);
  });

  test("need work until they are delivered or cancelled, and no files once they have left the shop", () => {
    expect(OPEN_STATES).toEqual(["placed", "printing", "printed", "dispatched"]);
    expect(STATES_WITHOUT_FILES).toEqual(["dispatched", "delivered", "cancelled"]);
  });

  test("say that a print is still to be made while it is placed or printing", () => {
    expect(ORDER_STATES.filter(isUnprinted)).toEqual(["placed", "printing"]);
    expect(PRINTABLE_STATES, "printed once more while its files are there").toEqual([
      ...["placed", "printing", "printed"],
    ]);
  });

  test("are mailed as ready after a minute and a half", () => {
    expect(READY_MAIL_WAIT_MS).toBe(90_000);
  });

  test.each(FULFILMENTS)("never skip a step or repeat a state (%s)", (fulfilment) => {
    expect(canMove({ fulfilment, state: "placed" }, "printed")).toBe(false);
    for (const state of ORDER_STATES) expect(canMove({ fulfilment, state }, state)).toBe(false);
  });

  test.each(FULFILMENTS)("end at delivered and cancelled (%s)", (fulfilment) => {
    expect(ORDER_MOVES[fulfilment].delivered).toEqual([]);
    expect(ORDER_MOVES[fulfilment].cancelled).toEqual([]);
  });

  test.each(FULFILMENTS)("allow cancelling until an order is handed over (%s)", (fulfilment) => {
    const cancellable = ORDER_STATES.filter((state) => canMove({ fulfilment, state }, "cancelled"));
    expect(cancellable).toEqual(way(fulfilment).slice(0, -1));
  });
});

describe("an order on hold", () => {
  const held = (state: OrderState, to: OrderState) =>
    canMove({ fulfilment: "delivery", state, heldAt: "2026-11-21T09:30:00.000Z" }, to);

  test.each<[OrderState, OrderState, boolean]>([
    ["placed", "printing", false],
    ["placed", "cancelled", true],
    ["printing", "printed", false],
    ["printing", "placed", false],
    ["printed", "printing", true],
    ["printed", "dispatched", false],
    ["delivered", "cancelled", false],
  ])("goes from %s to %s: %s", (from, to, may) => {
    expect(held(from, to)).toBe(may);
  });
});
