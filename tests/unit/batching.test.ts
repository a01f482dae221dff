import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { batchLoad } from "#server/accounts/sessions.ts";

test("keys loaded in the same tick are fetched with one query, and each caller gets its own value", async () => {
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

test("a load that starts during a query does not reuse the result of that query", async () => {
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

test("a failed query rejects its own callers only", async () => {
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
