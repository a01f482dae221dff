import { expect, test } from "vitest";
import { PreparedInsert } from "#db/prepared-insert.ts";
import type { Placeholders } from "#db/prepared-query.ts";
import { openTempDatabase } from "../setup/temp-database.ts";

interface Fact {
  name: string;
  value: string;
}

test("a prepared insert writes the rows of each call, whatever their number and the order of their columns", async () => {
  let built = 0;
  const newFacts = new PreparedInsert((db, rows: Placeholders<Fact>[]) => {
    built++;
    return db
      .insertInto("store_facts")
      .values(rows)
      .onConflict((conflict) => conflict.column("name").doNothing())
      .returning("name");
  });
  const { db } = await openTempDatabase();

  expect(await newFacts.rows(db, [{ name: "a", value: "1" }])).toEqual([{ name: "a" }]);
  expect(await newFacts.rows(db, [{ name: "a", value: "2" }])).toEqual([]);
  expect(
    await newFacts.rows(db, [
      { name: "b", value: "3" },
      { value: "4", name: "c" },
    ]),
  ).toEqual([{ name: "b" }, { name: "c" }]);
  expect(await newFacts.rows(db, [{ value: "5", name: "d" }])).toEqual([{ name: "d" }]);
  expect(await newFacts.rows(db, [])).toEqual([]);

  expect(built).toBe(3);
  const written = await db.selectFrom("store_facts").selectAll().orderBy("name").execute();
  expect(written.map(({ name, value }) => name + value)).toEqual(["a1", "b3", "c4", "d5"]);
});
