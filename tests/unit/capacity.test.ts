import { describe, expect, test } from "vitest";
import { Capacity } from "#server/http/capacity.ts";

const EVICTS = { endsOldest: true };
const REFUSES = { endsOldest: false };

describe("a bound that ends the oldest", () => {
  test("ends as many of the oldest of one key as a new one needs, and no other key's", () => {
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

  test("passes over those that cannot end, and refuses where none is left", () => {
    const capacity = new Capacity({ all: { max: 2, ...EVICTS } });
    const take = (mayEnd: boolean) => capacity.take({ keys: { all: "" }, mayEnd: () => mayEnd });
    take(false);
    take(true);
    expect(take(false)).not.toBeNull();
    expect(take(true)).toBeNull();
    expect(capacity.held("all", "")).toBe(2);
  });
});

test("a bound that refuses ends nobody, and takes again once somebody has left", () => {
  const capacity = new Capacity({ all: { max: 1, ...REFUSES } });
  const end = () => expect.unreachable();
  const leave = capacity.take({ keys: { all: "" }, end });
  expect(capacity.take({ keys: { all: "" } })).toBeNull();
  leave?.();
  leave?.();
  expect(capacity.held("all", "")).toBe(0);
  expect(capacity.take({ keys: { all: "" } })).not.toBeNull();
});
