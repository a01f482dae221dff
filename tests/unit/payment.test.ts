import { describe, expect, test } from "vitest";
import { maskUpiId } from "#server/shops/shops.mails.ts";
import {
  chargedPaise,
  METHOD_NAMES,
  type PayableOrder,
  paymentStatus,
  statusPaise,
  upiLink,
} from "#shared/payment.ts";

const ORDER: PayableOrder = {
  state: "placed",
  fulfilment: "delivery",
  totalPaise: 14_500,
  paidPaise: 0,
  refundedPaise: 0,
  creditedPaise: 0,
  upiId: "",
};

describe("how an order is paid", () => {
  test.each([
    ["at the door, where the shop has no UPI ID", {}, "on delivery"],
    ["at the shop, where it is picked up", { fulfilment: "pickup" }, "on pickup"],
    ["unknown, once it is delivered without a mark", { state: "delivered" }, "unmarked"],
    [
      "unknown, once it is picked up without a mark",
      { fulfilment: "pickup", state: "delivered" },
      "unmarked",
    ],
    [
      "at the desk, by somebody at the counter",
      { fulfilment: "counter", upiId: "shop@upi" },
      "at the counter",
    ],
    [
      "unknown, once it is handed over at the counter without a mark",
      { fulfilment: "counter", state: "delivered" },
      "unmarked",
    ],
    ["at the door, where a paisa is all it costs", { totalPaise: 1 }, "on delivery"],
    ["in part, when a paisa was refunded", { refundedPaise: 1, creditedPaise: 1 }, "partly paid"],
    ["by UPI also after delivery", { upiId: "shop@upi", state: "delivered" }, "upi"],
    ["by UPI, where the shop has an id", { upiId: "shop@upi" }, "upi"],
    ["not any more, once the shop says so", { upiId: "shop@upi", paidPaise: 14_500 }, "paid"],
    ["in part, while something is left", { upiId: "shop@upi", paidPaise: 14_499 }, "partly paid"],
    [
      "not again, once a part was refunded",
      { paidPaise: 14_000, refundedPaise: 500, creditedPaise: 500 },
      "paid",
    ],
    [
      "again, where what it cost too much was refunded and then it cost more",
      { paidPaise: 14_000, refundedPaise: 500 },
      "partly paid",
    ],
    [
      "as before, where all was refunded because it was not to be paid",
      { refundedPaise: 500 },
      "on delivery",
    ],
    [
      "back to the student, once all was refunded",
      { refundedPaise: 14_500, creditedPaise: 14_500 },
      "refunded",
    ],
    [
      "still in part, when all of a part was refunded",
      { refundedPaise: 500, creditedPaise: 500 },
      "partly paid",
    ],
    ["back, while a cancelled order holds money", { state: "cancelled", paidPaise: 1 }, "refund due"],
    [
      "no more, once a cancelled order is refunded",
      { state: "cancelled", refundedPaise: 14_500 },
      "refunded",
    ],
    [
      "no more, once a cancelled order gave back a paisa",
      { state: "cancelled", refundedPaise: 1 },
      "refunded",
    ],
    ["back, where more was paid than it costs now", { totalPaise: 14_000, paidPaise: 14_500 }, "refund due"],
    [
      "no more, once what was paid too much is given back",
      { totalPaise: 14_000, paidPaise: 14_000, refundedPaise: 500 },
      "paid",
    ],
    ["not at all, when it is cancelled", { upiId: "shop@upi", state: "cancelled" }, "void"],
    ["not at all, when it costs nothing", { upiId: "shop@upi", totalPaise: 0 }, "void"],
  ] as const)("%s", (_, changes, expected) => {
    expect(paymentStatus({ ...ORDER, ...changes })).toBe(expected);
  });
});

test.each([
  ["an unpaid order its price", {}, 14_500],
  ["one that is paid in part too", { paidPaise: 500 }, 14_500],
  [
    "one that is refunded in part what was not given back",
    { paidPaise: 14_000, refundedPaise: 500, creditedPaise: 500 },
    14_000,
  ],
  ["a cancelled one nothing", { state: "cancelled", paidPaise: 500 }, 0],
  ["one that became cheaper its new price", { totalPaise: 14_000, paidPaise: 14_500 }, 14_000],
] as const)("in the end costs %s", (_what, changes, paise) => {
  expect(chargedPaise({ ...ORDER, ...changes })).toBe(paise);
});

test.each([
  ["an unpaid order its price", {}, 14_500],
  ["one that is paid in part what is left", { paidPaise: 500 }, 14_000],
  ["a paid one what was paid", { paidPaise: 14_500 }, 14_500],
  [
    "one that is refunded in part what was not given back",
    { paidPaise: 14_000, refundedPaise: 500, creditedPaise: 500 },
    14_000,
  ],
  ["one that became cheaper what is to be given back", { totalPaise: 14_000, paidPaise: 14_500 }, 500],
  ["a cancelled one that too", { state: "cancelled", paidPaise: 500, refundedPaise: 14_000 }, 500],
  ["a refunded one what was given back", { state: "cancelled", refundedPaise: 14_500 }, 14_500],
  ["a free one nothing", { totalPaise: 0 }, 0],
] as const)("the amount that goes with the status is for %s", (_what, changes, paise) => {
  expect(statusPaise({ ...ORDER, ...changes })).toBe(paise);
});

test("the ways to pay have names", () => {
  expect(METHOD_NAMES).toEqual({ cash: "Cash", upi: "UPI" });
});

describe("a UPI link", () => {
  test("contains the exact amount, without grouping, and the order number", () => {
    const link = upiLink({
      upiId: "lamp.post@okbank",
      shopName: "Lamp Post & Sons",
      amountPaise: 12_345_605,
      orderNumber: "K7M4-Q2XD",
    });
    expect(link).toBe(
      "upi://pay?pa=lamp.post@okbank&pn=Lamp%20Post%20%26%20Sons&am=123456.05&cu=INR&tn=Order%20K7M4-Q2XD",
    );
  });
});

test.each([
  ["asha.rao@okbank", "a•••o@okbank"],
  ["asha@okbank", "a•••a@okbank"],
  ["ash@okbank", "•••@okbank"],
  ["", "none: students pay on delivery or pickup"],
])("the UPI ID %j is shown as %j in mails and on the page about a change", (upiId, shown) => {
  expect(maskUpiId(upiId)).toBe(shown);
});
