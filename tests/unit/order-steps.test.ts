import { expect, test } from "vitest";
import { fileNamesText } from "#client/features/orders/order-texts.ts";
import { stepsOf } from "#client/features/orders/order-timeline.tsx";
import type { OrderState } from "#shared/order-states.ts";

/** The steps of an order for pickup that reached these states one minute apart. */
function shown(...states: [OrderState, ...OrderState[]]) {
  const reached = states.map((state, minute) => ({ state, at: `2026-11-21T08:0${minute}:00.000Z` }));
  const state = states.at(-1) ?? "placed";
  return stepsOf({ state, fulfilment: "pickup", reached }).map(({ state, at, isCurrent }) => [
    state,
    at?.slice(14, 16) ?? null,
    ...(isCurrent ? ["now"] : []),
  ]);
}

test("shows the steps an order has taken and those still to come", () => {
  expect(shown("placed", "printing")).toEqual([
    ["placed", "00"],
    ["printing", "01", "now"],
    ["printed", null],
    ["delivered", null],
  ]);
});

test("shows when it was placed after an order was taken back from printing", () => {
  expect(shown("placed", "printing", "placed")).toEqual([
    ["placed", "00", "now"],
    ["printing", null],
    ["printed", null],
    ["delivered", null],
  ]);
  expect(shown("placed", "printing", "placed", "printing").slice(0, 2)).toEqual([
    ["placed", "00"],
    ["printing", "03", "now"],
  ]);
});

test("shows each step once, with its latest time, after an order went back to printing", () => {
  expect(shown("placed", "printing", "printed", "printing")).toEqual([
    ["placed", "00"],
    ["printing", "03", "now"],
    ["printed", null],
    ["delivered", null],
  ]);
  expect(shown("placed", "printing", "printed", "printing", "printed", "delivered")).toEqual([
    ["placed", "00"],
    ["printing", "03"],
    ["printed", "04"],
    ["delivered", "05", "now"],
  ]);
});

test("names the first files of an order and counts the others", () => {
  const text = (count: number) =>
    fileNamesText({ fileNames: ["a.pdf", "b.pdf"], files: { count, status: "kept", deleteAt: null } });
  expect([2, 3, 5].map(text)).toEqual([
    "a.pdf, b.pdf",
    "a.pdf, b.pdf and 1 more file",
    "a.pdf, b.pdf and 3 more files",
  ]);
});
