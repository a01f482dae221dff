import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "vitest";
import { nextTickBarrier } from "#server/lib/scheduling.ts";

test("a turn ends for all who wait for it at once, after what came in with it, and the next one later", async () => {
  const order: string[] = [];
  const note = (name: string) => () => void order.push(name);
  const waiting = [
    nextTickBarrier().then(note("first")),
    Promise.resolve().then(nextTickBarrier).then(note("second")),
  ];
  queueMicrotask(note("same turn"));
  process.nextTick(note("same turn"));
  const ended = nextTickBarrier();
  setImmediate(() => waiting.push(nextTickBarrier().then(note("next turn"))));
  await sleep(20);
  await Promise.all(waiting);

  expect(order).toEqual(["same turn", "same turn", "first", "second", "next turn"]);
  expect(nextTickBarrier()).not.toBe(ended);
});
