import { describe, expect, test } from "vitest";
import { counterPath, endingReason, lateAtCounter, lateWalkIn } from "#shared/visits.ts";

/** Times of one day in India. */
const at = (clock: string) => new Date(`2026-11-25T${clock}+05:30`);
const endsAt = at("17:00:00").toISOString();
const promise = (promised: string | null, now = "16:00:00") => ({
  promisedAt: promised && at(promised).toISOString(),
  endsAt,
  now: at(now),
});
const late = (...times: Parameters<typeof promise>) => lateAtCounter("Lamp Post", promise(...times));

describe("an order of a visit at the counter", () => {
  test("is taken where it can be handed over before the visit ends, or nobody can say when it is ready", () => {
    expect([late("16:30:00"), late("16:50:00"), late(null)]).toEqual([null, null, null]);
  });

  test("is refused where it is ready later, with the way to order all the same", () => {
    expect(late("16:50:01", "15:00:00")).toBe(
      "Lamp Post can print this by 4:50 pm, but your visit ends at 5:00 pm and your files are deleted then. Please log in and order with your account",
    );
  });

  test("can be given in a new visit where it is ready within two hours", () => {
    const again = /order with your account, or scan the code again after 5:00 pm$/;
    expect(late("17:50:00")).toMatch(again);
    expect(late("17:50:01")).not.toMatch(again);
    expect(late("17:50:01")).toMatch(/order with your account$/);
  });

  test("is not taken so late in the visit that nobody could print it and hand it over", () => {
    expect(endingReason({ endsAt, now: at("16:50:00") })).toBeNull();
    expect(endingReason({ endsAt, now: at("16:50:01") })).toBe(
      "Your visit ends at 5:00 pm and your files are deleted then. Please scan the code again after that, or log in and order with your account",
    );
  });

  test("that a clerk enters is theirs to print in time where the shop would promise it later", () => {
    expect([lateWalkIn(promise("16:50:00")), lateWalkIn(promise(null))]).toEqual([null, null]);
    expect(lateWalkIn(promise("16:50:01"))).toBe(
      "This would be ready by 4:50 pm, but its files are deleted at 5:00 pm, 2 hours after it is entered. Enter it only if you print it before that",
    );
  });
});

test("a counter has its path by the shop's id", () => {
  expect(counterPath("lamp")).toBe("/at/lamp");
  expect(counterPath("a/b?c")).toBe("/at/a%2Fb%3Fc");
});
