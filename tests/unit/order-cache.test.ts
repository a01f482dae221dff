import { expect, test } from "vitest";
import { moveInTable, moveOnBoard } from "#admin/features/order/order-cache.ts";
import type { BoardCard, BoardData } from "#admin/features/order/order-types.ts";
import { OPEN_STATES, type OrderState } from "#shared/order-states.ts";

function card(id: string, state: OrderState, createdAt: string): BoardCard {
  const job = {
    pages: 1,
    copies: 1,
    message: "",
    fulfilment: "delivery" as const,
    paidPaise: 0,
    refundedPaise: 0,
    creditedPaise: 0,
    upiId: "",
    report: null,
    isReprint: false,
    heldAt: null,
    holdReason: null,
    holdAnsweredAt: null,
    filesDeleteAt: null,
    promisedAt: null,
    totalPaise: 100,
    options: [],
    parts: [],
    sizeNotes: [],
  };
  return { id, number: id, shopName: "Shop", state, studentName: "Asha", createdAt, ...job };
}

const EARLY = card("early", "placed", "2026-11-21T08:00:00.000Z");
const LATE = card("late", "printing", "2026-11-21T09:00:00.000Z");

function board(): BoardData {
  return {
    counter: { count: 0, cards: [] },
    columns: OPEN_STATES.map((state) => {
      const cards = [EARLY, LATE].filter((one) => one.state === state);
      return { state, count: state === "placed" ? 60 : cards.length, cards };
    }),
    delivered: [],
    reported: 0,
  };
}

const shown = (after: BoardData) =>
  Object.fromEntries(
    after.columns.map(({ state, count, cards }) => [state, [count, ...cards.map(({ id }) => id)]]),
  );

test("a moved order is sorted by age into the next column, and both counts change", () => {
  const after = moveOnBoard(board(), "early", "printing");
  expect(shown(after)).toEqual({
    placed: [59],
    printing: [2, "early", "late"],
    printed: [0],
    dispatched: [0],
  });
  expect(after.columns[1]?.cards[0]?.state).toBe("printing");
});

test("moving an order back restores the board", () => {
  expect(moveOnBoard(moveOnBoard(board(), "early", "printing"), "early", "placed")).toEqual(board());
  expect(moveOnBoard(moveOnBoard(board(), "late", "delivered"), "late", "printing")).toEqual(board());
});

test("a cancelled or delivered order leaves the columns", () => {
  expect(shown(moveOnBoard(board(), "late", "cancelled")).printing).toEqual([0]);
  const delivered = moveOnBoard(board(), "late", "delivered");
  expect(shown(delivered).printing).toEqual([0]);
  expect(delivered.delivered.map(({ id }) => id)).toEqual(["late"]);
});

test("moving an order that is not on the board changes nothing", () => {
  const before = board();
  expect(moveOnBoard(before, "unknown", "printed")).toBe(before);
});

test("a moved order keeps its row in the table and changes its state", () => {
  const pages = [{ rows: [EARLY, LATE], next: null }];
  expect(moveInTable(pages, "early", "printing")[0]?.rows.map(({ id, state }) => [id, state])).toEqual([
    ["early", "printing"],
    ["late", "printing"],
  ]);
});

test("an order at the counter stays there through its states, and leaves it with the hand-over", () => {
  const waiting = { ...card("meera", "placed", "2026-11-21T10:00:00.000Z"), fulfilment: "counter" as const };
  const before = { ...board(), counter: { count: 1, cards: [waiting] } };
  const printed = moveOnBoard(moveOnBoard(before, "meera", "printing"), "meera", "printed");
  expect(printed.counter).toEqual({ count: 1, cards: [{ ...waiting, state: "printed" }] });
  expect(shown(printed)).toEqual(shown(before));
  const done = moveOnBoard(printed, "meera", "delivered");
  expect(done.counter).toEqual({ count: 0, cards: [] });
  expect(done.delivered.map(({ id }) => id)).toEqual(["meera"]);
  expect(moveOnBoard(done, "meera", "printed").counter.count).toBe(1);
});
