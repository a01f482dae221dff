import { expect, test } from "vitest";
import {
  ageText,
  asksAtEnd,
  canHandOverEarly,
  heldText,
  jobText,
  nextMoveName,
  optionsText,
  whatsAppLink,
} from "#admin/features/order/order-labels.ts";
import { longDay, recentText } from "#admin/lib/times.ts";
import { indianDate } from "#shared/indian-time.ts";
import type { PayableOrder } from "#shared/payment.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test.each([
  [59_999, "just now"],
  [MINUTE, "1 min"],
  [HOUR - 1, "59 min"],
  [HOUR, "1 h"],
  [HOUR + 20 * MINUTE, "1 h 20 min"],
  [24 * HOUR - 1, "23 h 59 min"],
  [24 * HOUR, "1 d"],
  [49 * HOUR, "2 d"],
])("a wait of %i ms is shown as %j", (ms, text) => {
  expect(ageText(ms)).toBe(text);
});

test.each([
  [{ pages: 1, copies: 1 }, "1 page"],
  [{ pages: 32, copies: 2 }, "32 pages × 2"],
  [{ pages: 1200, copies: 1000 }, "1,200 pages × 1,000"],
])("a job of %j is shown as %j", (job, text) => {
  expect(jobText(job)).toBe(text);
});

test("of an order's options those that are nothing are left out", () => {
  expect(optionsText({ options: ["Colour", "A4", "No Binding", "no cover", "Novel paper"] })).toBe(
    "Colour\u00a0· A4\u00a0· Novel paper",
  );
});

test.each([
  ["placed", "delivery", "Start printing"],
  ["printed", "delivery", "Dispatch"],
  ["printed", "pickup", "Hand over"],
  ["printed", "counter", "Hand over"],
  ["delivered", "delivery", ""],
] as const)(
  "the next step of an order that is %s, for %s, is %j, and none on hold",
  (state, fulfilment, name) => {
    expect(nextMoveName({ state, fulfilment })).toBe(name);
    expect(nextMoveName({ state, fulfilment, heldAt: "2026-11-21T18:30:00.000Z" })).toBe("");
  },
);

test("the last step asks for a pickup code, and for the money that is owed", () => {
  const paid = { totalPaise: 100, paidPaise: 100, refundedPaise: 0, creditedPaise: 0, upiId: "" };
  const asks = (order: Pick<PayableOrder, "state" | "fulfilment">, paidPaise = 100) =>
    asksAtEnd({ ...paid, ...order, paidPaise });
  expect(asks({ state: "printed", fulfilment: "pickup" })).toBe(true);
  expect(asks({ state: "printed", fulfilment: "counter" })).toBe(false);
  expect(asks({ state: "printed", fulfilment: "counter" }, 99)).toBe(true);
  expect(asks({ state: "dispatched", fulfilment: "delivery" }, 0)).toBe(true);
  expect(asks({ state: "printed", fulfilment: "delivery" }, 0)).toBe(false);
});

test("what is being printed can be handed over at the shop, unless it is on hold", () => {
  expect(canHandOverEarly({ state: "printing", fulfilment: "pickup" })).toBe(true);
  expect(canHandOverEarly({ state: "printing", fulfilment: "delivery" })).toBe(false);
  expect(canHandOverEarly({ state: "placed", fulfilment: "pickup" })).toBe(false);
  const heldAt = "2026-11-21T18:30:00.000Z";
  expect(canHandOverEarly({ state: "printing", fulfilment: "pickup", heldAt })).toBe(false);
});

test("of an order on hold a student gets an email, but nobody at the counter, who has given no address", () => {
  const held = (fulfilment: "pickup" | "counter") => heldText({ number: "GDCD-XHXP", fulfilment });
  expect(held("pickup")).toBe("Order GDCD-XHXP is on hold. The student gets an email");
  expect(held("counter")).toBe("Order GDCD-XHXP is on hold");
});

test("a message by WhatsApp goes to the student's Indian number and names shop, order and state", () => {
  const order = {
    number: "GDCD-XHXP",
    state: "printed",
    fulfilment: "pickup",
    shop: { name: "Tom & Sons" },
  } as const;
  const link = whatsAppLink({ ...order, student: { fullName: "Asha R. Verma", phone: "9876543210" } });
  expect(link).toMatch(/^https:\/\/wa\.me\/919876543210\?text=[^&]+$/);
  expect(new URL(link).searchParams.get("text")).toBe(
    "Hello Asha, this is Tom & Sons about your order GDCD-XHXP (Ready for pickup). ",
  );
});

test("a date is that of India, whatever the zone of the computer", () => {
  expect(indianDate("2026-11-21T18:29:59.000Z")).toBe("21 Nov 2026");
  expect(indianDate("2026-11-21T18:30:00.000Z")).toBe("22 Nov 2026");
});

test("a day is said with its weekday, in the words of all dates", () => {
  expect(longDay("2026-11-21")).toBe("Sat, 21 Nov 2026");
});

test("of today only the time is said, also of an Indian day that began on another day in UTC", () => {
  const lunch = new Date("2026-11-21T07:00:00.000Z");
  expect(recentText("2026-11-20T18:30:00.000Z", lunch)).toBe("12:00 am");
  expect(recentText("2026-11-20T18:29:59.000Z", lunch)).toBe("20 Nov 2026");
});
