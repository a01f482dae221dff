import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { checkConnection, isOffline, onReconnected, untilReachable } from "#client/lib/connection.ts";

/** When the store was asked whether it can be reached, in seconds. */
let asked: number[];
let isReachable: boolean;

beforeEach(async () => {
  vi.useFakeTimers({ now: 0 });
  asked = [];
  isReachable = false;
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("fetch", async () => {
    asked.push(Date.now() / 1000);
    if (!isReachable) throw new TypeError("Failed to fetch");
    return new Response();
  });
});

afterEach(async () => {
  isReachable = true;
  await checkConnection();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

test("a store that cannot be reached is asked with growing pauses, of half a minute at most, however many requests fail", async () => {
  for (let times = 0; times < 5; times++) await checkConnection();
  asked = [];
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).toEqual([1, 3, 7, 15, 31, 61, 91]);
});

test("the pauses are short again when the next connection is lost", async () => {
  await checkConnection();
  await vi.advanceTimersByTimeAsync(31_000);
  isReachable = true;
  await checkConnection();
  expect(isOffline()).toBe(false);
  asked = [];
  await vi.advanceTimersByTimeAsync(120_000);
  expect(asked).toEqual([]);

  isReachable = false;
  await checkConnection();
  const lostAt = asked.pop() ?? 0;
  await vi.advanceTimersByTimeAsync(4000);
  expect(asked).toEqual([lostAt + 1, lostAt + 3]);
});

test("a browser that knows of no network is taken at its word", async () => {
  vi.stubGlobal("navigator", { onLine: false });
  expect(await checkConnection()).toBe(false);
  expect(asked).toEqual([]);
});

test("what waits for a connection goes on when there is one, and when nobody waits for it any more", async () => {
  await checkConnection();
  const ended: string[] = [];
  const leaving = new AbortController();
  void untilReachable(leaving.signal).then(() => ended.push("left"));
  void untilReachable(new AbortController().signal).then(() => ended.push("reached"));
  await vi.advanceTimersByTimeAsync(5000);
  expect(ended).toEqual([]);
  leaving.abort();
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual(["left"]);
  isReachable = true;
  await checkConnection();
  await vi.advanceTimersByTimeAsync(0);
  expect(ended).toEqual(["left", "reached"]);
});

test("whoever follows the connection hears once of each return, and nothing more after they stop", async () => {
  let times = 0;
  const stop = onReconnected(() => times++);
  const loseAndReturn = async () => {
    isReachable = false;
    await checkConnection();
    isReachable = true;
    await checkConnection();
    await checkConnection();
  };
  await loseAndReturn();
  expect(times).toBe(1);
  stop();
  await loseAndReturn();
  expect(times).toBe(1);
});
