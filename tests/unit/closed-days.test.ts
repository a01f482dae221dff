import { expect, test } from "vitest";
import { closingsOf, closingText } from "#shared/closed-days.ts";
import { addDays } from "#shared/indian-time.ts";

const SHOP = { openingHours: "Mon–Sat 9:00–20:00", holidays: ["2026-12-25"], closedUntil: null };
const at = (moment: string) => new Date(`${moment}+05:30`);
const told = (shop: typeof SHOP | Parameters<typeof closingsOf>[0], moment: string) =>
  // What a cached page says does not depend on when it was made.
  closingText(closingsOf(shop, at("2026-11-25T12:00")), at(moment));

test.each([
  ["two days before a holiday", "2026-12-23T23:59", null],
  ["the day before a holiday", "2026-12-24T00:00", "Closed tomorrow"],
  ["a holiday", "2026-12-25T00:00", "Closed today"],
  ["a holiday late at night", "2026-12-25T23:59", "Closed today"],
  ["the day after a holiday, before a Sunday", "2026-12-26T00:00", "Closed tomorrow"],
  ["a Sunday", "2026-12-27T10:00", "Closed today"],
  ["a Monday", "2026-12-28T10:00", null],
])("says on %s: %s %s", (_day, moment, text) => {
  expect(told(SHOP, moment)).toBe(text);
});

test("knows holidays of a shop that has not said its hours", () => {
  expect(told({ ...SHOP, openingHours: "" }, "2026-12-24T10:00")).toBe("Closed tomorrow");
  expect(told({ ...SHOP, openingHours: "" }, "2026-12-27T10:00")).toBeNull();
  expect(closingsOf({ ...SHOP, openingHours: "" }, at("2026-12-01T10:00")).closedOn).toEqual(SHOP.holidays);
});

test("calls no day closed on which the shop still works after midnight", () => {
  expect(
    told({ ...SHOP, openingHours: "Sat 18:00-24:00; Sun 0:00-2:00; Mon 9-18" }, "2026-11-29T01:00"),
  ).toBeNull();
});

test("says until when a shop is closed that closed early", () => {
  const closedUntil = at("2026-11-26T09:00").toISOString();
  expect(told({ ...SHOP, closedUntil }, "2026-11-25T15:00")).toBe("Closed until 26 Nov, 9:00 am");
  expect(told({ ...SHOP, closedUntil }, "2026-11-26T08:00")).toBe("Closed until 9:00 am");
  expect(told({ ...SHOP, closedUntil }, "2026-11-26T09:00")).toBeNull();
});

test("tells the next twelve holidays and none that is past", () => {
  const holidays = Array.from({ length: 30 }, (_, day) => addDays("2026-11-20", day));
  const { closedOn } = closingsOf({ ...SHOP, holidays }, at("2026-11-25T00:00"));
  expect(closedOn).toEqual(["Sun", ...holidays.slice(5, 17)]);
});
