import { expect, test } from "vitest";
import { type Placeholders, PreparedInsert, PreparedQuery } from "#db/prepared.ts";
import { transact } from "#db/transaction.ts";
import { openTempDatabase } from "../setup/temporary.ts";

interface Fact {
  name: string;
  value: string;
}

const keepFact = new PreparedQuery((db, fact: Placeholders<Fact>) =>
  db.insertInto("store_facts").values({ name: fact.name, value: fact.value }),
);
const changeFact = new PreparedQuery((db, { name, value }: Placeholders<Fact>) =>
  db
    .updateTable("store_facts")
    .set({ value })
    .where("name", "=", name)
    .where("value", "!=", "fixed")
    .returning("name"),
);
const factOf = new PreparedQuery((db, { name }: Placeholders<{ name: string }>) =>
  db.selectFrom("store_facts").selectAll().where("name", "=", name),
);

test("a prepared query uses the values of each call", async () => {
  const { db } = await openTempDatabase();
  await keepFact.rows(db, { name: "colour", value: "blue" });
  await keepFact.rows(db, { name: "size", value: "fixed" });

  const changed = [];
  for (const name of ["colour", "size", "shape"])
    changed.push((await changeFact.rows(db, { name, value: "A4" })).length);

  expect(changed).toEqual([1, 0, 0]);
  expect(await factOf.first(db, { name: "colour" })).toEqual({ name: "colour", value: "A4" });
  expect(await factOf.rows(db, { name: "size" })).toEqual([{ name: "size", value: "fixed" }]);
  expect(await factOf.first(db, { name: "shape" })).toBeUndefined();
});

test("a prepared query is built once per database, transactions included", async () => {
  let built = 0;
  const counted = new PreparedQuery((db, { name }: Placeholders<{ name: string }>) => {
    built++;
    return db.selectFrom("store_facts").selectAll().where("name", "=", name);
  });
  for (const { db } of [await openTempDatabase(), await openTempDatabase()]) {
    await Promise.all(["colour", "size"].map((name) => counted.rows(db, { name })));
    await transact(db, (trx) => counted.rows(trx, { name: "colour" }));
  }

  expect(built).toBe(2);
});

test("a prepared query takes part in its transaction, and is refused on the outer handle meanwhile", async () => {
  const { db } = await openTempDatabase();
  await factOf.rows(db, { name: "colour" });

  const failed = transact(db, async (trx) => {
    await keepFact.rows(trx, { name: "colour", value: "blue" });
    await factOf.rows(db, { name: "colour" });
  });

  await expect(failed).rejects.toThrow("through the transaction's own handle");
  expect(await factOf.rows(db, { name: "colour" })).toEqual([]);
});

test("a prepared insert writes all rows of a call, whatever their number and column order", async () => {
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
