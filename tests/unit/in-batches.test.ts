import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { batched } from "#server/lib/batching.ts";

test("what comes while a batch is at work is done together next, and each is told of its own batch", async () => {
  const batches: number[][] = [];
  let atWork = 0;
  const add = batched<number>(async (items) => {
    expect(++atWork).toBe(1);
    batches.push([...items]);
    await nextTurn();
    atWork--;
    if (items.includes(13)) throw new Error("thirteen");
  });

  const first = add(1);
  await Promise.resolve();
  const second = Promise.allSettled([add(12), add(13)]);
  await first;
  await Promise.resolve();
  await add(14);

  expect((await second).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(batches).toEqual([[1], [12, 13], [14]]);
});
