import { expect, test } from "vitest";
import { changeFact, claimFact, findFact } from "#db/facts.ts";
import { openTempDatabase } from "../setup/temporary.ts";

test("a fact is recorded by whoever claims it first", async () => {
  const { db } = await openTempDatabase();

  const claims = [await claimFact(db, "colour", "blue"), await claimFact(db, "colour", "green")];

  expect([claims, await findFact(db, "colour")]).toEqual([[true, false], "blue"]);
});

test("a fact is changed only by who knows its value, so that of two servers one changes it", async () => {
  const { db } = await openTempDatabase();
  await claimFact(db, "colour", "blue");

  const changes = [
    await changeFact(db, "colour", { from: "blue", to: "green" }),
    await changeFact(db, "colour", { from: "blue", to: "red" }),
  ];

  expect([changes, await findFact(db, "colour")]).toEqual([[true, false], "green"]);
});
