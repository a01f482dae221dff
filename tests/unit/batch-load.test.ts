import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { batchLoad } from "#server/lib/batching.ts";

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
