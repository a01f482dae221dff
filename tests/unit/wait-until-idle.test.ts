import { expect, onTestFinished, test } from "vitest";
import { waitUntilIdle } from "#server/lib/scheduling.ts";

test("with nothing else to do the wait for an idle moment ends long before its limit", async () => {
  const startedAt = performance.now();
  await waitUntilIdle(60_000);
  expect(performance.now() - startedAt).toBeLessThan(5000);
});

test("a busy event loop is waited for, but not for ever", async () => {
  let turns = 0;
  let isBusy = true;
  onTestFinished(() => {
    isBusy = false;
  });
  const work = () => {
    const until = performance.now() + 1;
    while (performance.now() < until);
    turns++;
    if (isBusy) setImmediate(work);
  };
  work();

  const startedAt = performance.now();
  await waitUntilIdle(60);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(59);
  expect(turns).toBeGreaterThan(5);
});
