import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { BACKGROUND_HEADER } from "#shared/calls.ts";

let callHeaders: () => Record<string, string>;

beforeAll(async () => {
  vi.useFakeTimers();
  vi.stubGlobal("window", new EventTarget());
  ({ callHeaders } = await import("#ui/background-calls.ts"));
});

afterAll(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("the calls of a page that nobody has touched for a minute are marked", () => {
  expect(callHeaders()).toEqual({});
  vi.advanceTimersByTime(60_000);
  expect(callHeaders()).toEqual({});
  vi.advanceTimersByTime(1);
  expect(callHeaders()).toEqual({ [BACKGROUND_HEADER]: "1" });
});

// A finger that scrolls sends no `wheel`, and a page may be read for long by scrolling alone.
test.each(["pointerdown", "keydown", "wheel", "touchmove"])("by %s somebody uses the page", (act) => {
  vi.advanceTimersByTime(100_000);
  window.dispatchEvent(new Event(act));
  expect(callHeaders()).toEqual({});
});
