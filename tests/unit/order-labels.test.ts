import { expect, test } from "vitest";
import { ageText, jobText, whatsAppLink } from "#admin/features/order/order-labels.ts";
import { dateText } from "#admin/lib/times.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test.each([
  [59_999, "just now"],
  [MINUTE, "1 min"],
  [HOUR - 1, "59 min"],
  [HOUR, "1 h"],
  [HOUR + 20 * MINUTE, "1 h 20 min"],
  [24 * HOUR - 1, "23 h 59 min"],
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
  expect(dateText("2026-11-21T18:29:59.000Z")).toBe("21 Nov 2026");
  expect(dateText("2026-11-21T18:30:00.000Z")).toBe("22 Nov 2026");
});
