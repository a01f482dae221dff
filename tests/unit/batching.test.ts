import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { batched, batchLoad } from "#server/lib/batching.ts";

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

test("what is looked for in one turn is asked for with one question, and each gets what is its own", async () => {
  const questions: string[][] = [];
  const find = batchLoad(async (keys: readonly string[]) => {
    questions.push([...keys]);
    return new Map(keys.filter((key) => key !== "nobody").map((key) => [key, `${key}'s`]));
  });

  const together = ["a", "b", "nobody", "a"].map(find);
  const later = nextTurn().then(() => find("b"));

  expect(await Promise.all(together)).toEqual(["a's", "b's", undefined, "a's"]);
  expect(await later).toBe("b's");
  expect(questions).toEqual([["a", "b", "nobody"], ["b"]]);
});

test("who looks for a thing while a question is under way does not get what it found", async () => {
  let written = "old";
  const find = batchLoad(async (keys: readonly string[]) => {
    const found = new Map(keys.map((key) => [key, written]));
    await nextTurn();
    return found;
  });

  const before = find("a");
  await nextTurn();
  written = "new";

  expect(await Promise.all([before, find("a")])).toEqual(["old", "new"]);
});

test("a question that fails fails for all who asked it, and for nobody else", async () => {
  let isAway = true;
  const find = batchLoad(async (keys: readonly string[]) => {
    if (isAway) throw new Error("away");
    return new Map(keys.map((key) => [key, key]));
  });

  const failed = await Promise.allSettled([find("a"), find("b")]);
  isAway = false;

  expect(failed.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await find("a")).toBe("a");
});
