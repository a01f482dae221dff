import { expect, test } from "vitest";
import type { Context, SignedIn } from "#server/context.ts";
import { newOrder } from "#server/orders/placement/placement.service.ts";
import type { Fulfilment } from "#shared/order-states.ts";

const MANY = 1000;

/** The numbers and codes of new orders; nothing else of them is looked at. */
function newOrders(fulfilment: Fulfilment) {
  const user = { _id: "asha", email: "asha@college.example", fullName: "Asha Verma", phone: "9876543210" };
  const ctx = { actor: { user }, now: () => new Date() } as unknown as Context<SignedIn>;
  const terms = {
    shop: {
      id: "campus",
      name: "Campus Print",
      location: "Gate 2",
      email: "c@shops.example",
      contactNumber: "1",
    },
    quote: {
      ...{ jobs: [{ pages: 1, sides: 1, sheets: 1, lines: [] }], sheets: 1, roundingPaise: 0 },
      ...{ subTotalPaise: 0, taxPaise: 0, deliveryFeePaise: 0, totalPaise: 0 },
    },
    idempotency: { key: null, requestHash: "" },
    ...{ pages: 1, jobs: null, copies: 1, message: "", fulfilment, address: null, original: null },
  };
  return Array.from({ length: MANY }, () => newOrder(ctx, terms));
}

test("an order number is eight random characters in two groups, none of which is confused with another", () => {
  const numbers = newOrders("delivery").map(({ number }) => number);
  for (const number of numbers) expect(number).toMatch(/^[2-9A-HJKMNP-TV-Z]{4}-[2-9A-HJKMNP-TV-Z]{4}$/);
  expect(new Set(numbers).size).toBe(MANY);
  for (const place of [0, 1, 2, 3, 5, 6, 7, 8])
    expect(new Set(numbers.map((number) => number.charAt(place))).size).toBe(30);
});

test("a pickup code is four random digits with five tries, and an order for delivery has none", () => {
  const pickups = newOrders("pickup");
  const codes = pickups.map(({ pickup_code: code }) => code ?? "");
  for (const code of codes) expect(code).toMatch(/^\d{4}$/);
  for (const place of [0, 1, 2, 3]) expect(new Set(codes.map((code) => code.charAt(place))).size).toBe(10);
  expect(new Set(pickups.map(({ pickup_tries_left: tries }) => tries))).toEqual(new Set([5]));
  const [delivery] = newOrders("delivery");
  expect([delivery?.pickup_code, delivery?.pickup_tries_left]).toEqual([null, 0]);
});
