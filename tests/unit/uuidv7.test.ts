import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterEach, expect, test, vi } from "vitest";
import { uuidAt, uuidv7 } from "#server/lib/crypto.ts";

const anyMoment = fc.integer({ min: 0, max: Date.UTC(9999, 0, 1) });
afterEach(() => void vi.useRealTimers());

test("ids sort by creation time", () => {
  fc.assert(
    fc.property(anyMoment, anyMoment, (one, other) => {
      fc.pre(one !== other);
      expect(uuidAt(one, randomUUID()) < uuidAt(other, randomUUID())).toBe(one < other);
    }),
  );
});

test("ids sort in the order in which a process makes them, also those of one moment and after its clock was set back", () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const ids = Array.from({ length: 10_000 }, () => uuidv7());
  vi.setSystemTime(Date.now() - 60_000);
  ids.push(uuidv7());
  expect(ids).toEqual(ids.toSorted());
  vi.setSystemTime(Date.now() + 120_000);
  const later = uuidv7();
  expect(Number.parseInt(later.replace("-", "").slice(0, 12), 16)).toBe(Date.now());
});

test("an id is a UUID version 7 whose bits after the time and the count are random", () => {
  const ids = Array.from({ length: 1000 }, () => uuidv7());
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids.map((id) => id.slice(19))).size).toBe(1000);
});
