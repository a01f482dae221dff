import { expect, test } from "vitest";
import { DAY_MS } from "#shared/durations.ts";
import { holdReasons, isOverdue } from "#shared/holds.ts";

const AT = "2026-11-21T09:30:00.000Z";

test.each([
  ["nobody has answered for seven days", null, 7 * DAY_MS, true],
  ["a moment is left of the seven days", null, 7 * DAY_MS - 1, false],
  ["the student has answered", "2026-11-22T09:30:00.000Z", 30 * DAY_MS, false],
])("a hold is overdue where %s", (_when, answeredAt, afterMs, expected) => {
  expect(isOverdue({ at: AT, answeredAt }, new Date(Date.parse(AT) + afterMs))).toBe(expected);
});

test("only of a delivery is offered as a reason that the address is not complete", () => {
  const reason = "The address is not complete";
  expect(holdReasons("delivery")).toContain(reason);
  expect(holdReasons("delivery")).toEqual([...holdReasons("pickup"), reason]);
  expect(holdReasons("counter")).toEqual(holdReasons("pickup"));
});
