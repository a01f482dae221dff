import { describe, expect, test } from "vitest";
import { counterPath, lateAtCounter } from "#shared/visits.ts";

/** Times of one day in India. */
const at = (clock: string) => new Date(`2026-11-25T${clock}+05:30`);
const late = (promised: string | null, now = "16:00:00") =>
  lateAtCounter("Lamp Post", {
    promisedAt: promised && at(promised).toISOString(),
    endsAt: at("17:00:00").toISOString(),
    now: at(now),
  });

describe("an order of a visit at the counter", () => {
  test("is taken where it is ready before the visit ends, or nobody can say when", () => {
    expect([late("16:30:00"), late("17:00:00"), late(null)]).toEqual([null, null, null]);
  });

  test("is refused where it is ready later, with the way to order all the same", () => {
    expect(late("17:00:01", "15:00:00")).toBe(
      "Lamp Post can print this by 5:00 pm, but your visit ends at 5:00 pm and your files are deleted then. Please log in and order with your account",
    );
  });

  test("can be given in a new visit where it is ready within two hours", () => {
    const again = /order with your account, or scan the code again after 5:00 pm$/;
    expect(late("18:00:00")).toMatch(again);
    expect(late("18:00:01")).not.toMatch(again);
    expect(late("18:00:01")).toMatch(/order with your account$/);
  });
});

test("a counter has its path by the shop's id", () => {
  expect(counterPath("lamp")).toBe("/at/lamp");
  expect(counterPath("a/b?c")).toBe("/at/a%2Fb%3Fc");
});
