import fc from "fast-check";
import { expect, test } from "vitest";
import { uuidv7 } from "#server/lib/crypto.ts";

const LATEST = Date.UTC(9999, 0, 1);
const anyMoment = fc.integer({ min: 0, max: LATEST });

test("ids sort by creation time", () => {
  fc.assert(
    fc.property(anyMoment, anyMoment, (one, other) => {
      fc.pre(one !== other);
      expect(uuidv7(one) < uuidv7(other)).toBe(one < other);
    }),
  );
});

test("an id is a UUID version 7 whose bits after the time are random", () => {
  const ids = Array.from({ length: 1000 }, () => uuidv7(LATEST));
  for (const id of ids)
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(new Set(ids.map((id) => id.slice(15))).size).toBe(1000);
});
