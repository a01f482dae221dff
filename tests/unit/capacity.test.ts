import { describe, expect, test } from "vitest";
import { Capacity } from "#server/http/streams.ts";

const EVICTS = { endsOldest: true };
const REFUSES = { endsOldest: false };

describe("a limit that ends the oldest holder", () => {
  test("ends as many of the oldest holders of the same key as the new one needs", () => {
    const capacity = new Capacity({ address: { max: 10, ...EVICTS }, all: { max: 100, ...REFUSES } });
    const ended: string[] = [];
    const take = (address: string, amount: number, name: string) =>
      capacity.take({ amount, keys: { address, all: "" }, end: () => ended.push(name) });
    take("b", 10, "b1");
    for (const name of ["a1", "a2", "a3"]) take("a", 3, name);
    expect(take("a", 6, "a4")).not.toBeNull();
    expect(ended).toEqual(["a1", "a2"]);
    expect([capacity.held("address", "a"), capacity.held("all", "")]).toEqual([9, 19]);
  });

  test("skips holders that may not be ended, and refuses when none can be", () => {
    const capacity = new Capacity({ all: { max: 2, ...EVICTS } });
    const take = (mayEnd: boolean) => capacity.take({ keys: { all: "" }, mayEnd: () => mayEnd });
    take(false);
    take(true);
    expect(take(false)).not.toBeNull();
    expect(take(true)).toBeNull();
    expect(capacity.held("all", "")).toBe(2);
  });

  test("accepts the first holder up to the maximum, and none above it", () => {
    const capacity = new Capacity({ all: { max: 10, ...EVICTS } });
    expect(capacity.take({ amount: 11, keys: { all: "" } })).toBeNull();
    expect(capacity.take({ amount: 10, keys: { all: "" } })).not.toBeNull();
  });
});

test("a limit that refuses ends nobody, and accepts again after a holder has left", () => {
  const capacity = new Capacity({ all: { max: 1, ...REFUSES } });
  const end = () => expect.unreachable();
  const leave = capacity.take({ keys: { all: "" }, end });
  expect(capacity.take({ keys: { all: "" } })).toBeNull();
  leave?.();
  leave?.();
  expect(capacity.held("all", "")).toBe(0);
  expect(capacity.take({ keys: { all: "" } })).not.toBeNull();
});
