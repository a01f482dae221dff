import { constants, PerformanceObserver, performance } from "node:perf_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { LiveStreams } from "#server/http/streams.ts";
import { collectAbandonedGarbage, collectGarbageWhenIdle } from "#server/lib/garbage.ts";

const MB = 1024 * 1024;

/** Collections that were asked for and not yet told by `collections`. */
let asked: number;
let observer: PerformanceObserver;
beforeEach(() => {
  asked = 0;
  observer = new PerformanceObserver((list) => {
    for (const { detail } of list.getEntries() as unknown as { detail: { flags: number } }[])
      if (detail.flags & constants.NODE_PERFORMANCE_GC_FLAGS_FORCED) asked++;
  });
  observer.observe({ entryTypes: ["gc"] });
  onTestFinished(() => observer.disconnect());
});

async function collections(): Promise<number> {
  for (let turn = 0; turn < 3; turn++) await nextTurn();
  const count = asked;
  asked = 0;
  return count;
}

test("what gave way to newer requests is collected after each 24 MB of it", async () => {
  // What other tests have left is collected first.
  collectAbandonedGarbage(24 * MB);
  expect(await collections()).toBe(1);
  for (let times = 0; times < 2; times++) {
    collectAbandonedGarbage(10 * MB);
    collectAbandonedGarbage(14 * MB - 1);
    expect(await collections()).toBe(0);
    collectAbandonedGarbage(1);
    expect(await collections()).toBe(1);
  }
});

test("the streams of a session that opens too many are such garbage", async () => {
  collectAbandonedGarbage(24 * MB);
  expect(await collections()).toBe(1);
  const streams = new LiveStreams();
  // 180 kB each.
  for (let opened = 0; opened < 12 + 24 * 6; opened++) streams.take({ session: "one", account: "asha" });
  expect(await collections()).toBe(1);
});

test("what the start or a load has left is collected once, when the server is idle", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const atWork = vi.spyOn(performance, "eventLoopUtilization");
  onTestFinished(() => atWork.mockRestore());
  collectGarbageWhenIdle();
  const collectedAt = async (share: number) => {
    atWork.mockReturnValue({ utilization: share, idle: 0, active: 0 });
    vi.advanceTimersByTime(5000);
    return collections();
  };
  expect(await collectedAt(0.5)).toBe(0);
  expect(await collectedAt(0.04)).toBe(0);
  expect(await collectedAt(0.02)).toBe(1);
  expect(await collectedAt(0.02)).toBe(0);
  // Less than a fifth of the time is no load that leaves much.
  expect(await collectedAt(0.19)).toBe(0);
  expect(await collectedAt(0.02)).toBe(0);
  expect(await collectedAt(0.21)).toBe(0);
  expect(await collectedAt(0.02)).toBe(1);
});
