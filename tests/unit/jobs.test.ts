import { AsyncLocalStorage } from "node:async_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import pino from "pino";
import { beforeEach, describe, expect, onTestFinished, test, vi } from "vitest";
import { startJob } from "#server/lib/jobs.ts";
import { createNotifier } from "#server/orders/live/live.service.ts";

const MINUTE = 60_000;

describe("a job", () => {
  /** The runs under way, each with what ends it. */
  let runs: PromiseWithResolvers<void>[];
  let lines: { msg: string; err: { message: string } }[];
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    [runs, lines] = [[], []];
  });

  function start(run = async () => {}) {
    const log = pino({ level: "error" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
    const work = async () => {
      const end = Promise.withResolvers<void>();
      runs.push(end);
      await run();
      await end.promise;
    };
    return startJob({ log }, { failure: "the job failed", everyMs: MINUTE, run: work });
  }

  async function endRun(index: number): Promise<void> {
    runs[index]?.resolve();
    await nextTurn();
  }

  test("runs at the start, at each interval and on demand", async () => {
    const job = start();
    expect(runs).toHaveLength(1);
    await endRun(0);
    vi.advanceTimersByTime(MINUTE - 1);
    expect(runs).toHaveLength(1);
    vi.advanceTimersByTime(1);
    expect(runs).toHaveLength(2);
    await endRun(1);
    job.runNow();
    expect(runs).toHaveLength(3);
    await endRun(2);
    vi.advanceTimersByTime(MINUTE);
    expect(runs).toHaveLength(4);
  });

  test("that is wanted while it runs does so once more when it has ended, and never twice at once", async () => {
    const job = start();
    for (let times = 0; times < 3; times++) job.runNow();
    vi.advanceTimersByTime(MINUTE);
    expect(runs).toHaveLength(1);
    await endRun(0);
    expect(runs).toHaveLength(2);
    await endRun(1);
    expect(runs).toHaveLength(2);
  });

  test("that fails is logged, and runs again", async () => {
    const job = start(() => Promise.reject(new Error("not today")));
    await nextTurn();
    expect(lines).toMatchObject([{ msg: "the job failed", err: { message: "not today" } }]);
    job.runNow();
    expect(runs).toHaveLength(2);
  });

  test("that is stopped ends its run first, and does not run again", async () => {
    const job = start();
    job.runNow();
    let isStopped = false;
    void job.stop().then(() => {
      isStopped = true;
    });
    job.runNow();
    await nextTurn();
    expect(isStopped).toBe(false);
    await endRun(0);
    expect(isStopped).toBe(true);
    job.runNow();
    vi.advanceTimersByTime(10 * MINUTE);
    expect(runs).toHaveLength(1);
  });

  test("does not run in the context of the request that asks for it", async () => {
    const request = new AsyncLocalStorage<string>();
    const seen: unknown[] = [];
    const job = start(async () => void seen.push(request.getStore()));
    await endRun(0);
    request.run("a transaction", () => job.runNow());
    expect(seen).toEqual([undefined, undefined]);
  });
});

describe("a notifier", () => {
  const never = new AbortController().signal;
  const HOUR = 60 * MINUTE;

  test("wakes everybody who waits, once for each notification", async () => {
    const { wait, notify, ...notifier } = watched();
    const waiting = [wait(0, HOUR, never), wait(0, HOUR, never)];
    notify();
    await Promise.all(waiting);
    expect(notifier.count()).toBe(1);
    let isWoken = false;
    const later = wait(1, HOUR, never).then(() => {
      isWoken = true;
    });
    await nextTurn();
    expect(isWoken).toBe(false);
    notify();
    await later;
  });

  test("does not let anybody wait for what they have not heard", async () => {
    const { wait, notify } = watched();
    notify();
    await wait(0, HOUR, never);
  });

  test("lets nobody wait for longer than they want, or when they have gone", async () => {
    const { wait } = watched();
    await wait(0, 1, never);
    await wait(0, HOUR, AbortSignal.abort());
  });

  function watched() {
    const notifier = createNotifier();
    return {
      wait: notifier.wait.bind(notifier),
      notify: notifier.notify.bind(notifier),
      count: () => notifier.count,
    };
  }
});
