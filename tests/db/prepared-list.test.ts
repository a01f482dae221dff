import { expect, test } from "vitest";
import { PreparedList } from "#db/prepared-list.ts";
import type { Placeholders } from "#db/prepared-query.ts";
import { openTempDatabase } from "../setup/temp-database.ts";

test("a prepared list finds what is under each of its keys once, however many they are", async () => {
  const built: number[] = [];
  const factsOf = new PreparedList((db, names) => {
    built.push(names.length);
    return db.selectFrom("store_facts").select("name").where("name", "in", names).orderBy("name");
  });
  const { db } = await openTempDatabase();
  const names = Array.from({ length: 150 }, (_, at) => `fact ${String(at).padStart(3, "0")}`);
  await db
    .insertInto("store_facts")
    .values(names.map((name) => ({ name, value: "" })))
    .execute();

  for (const length of [0, 1, 2, 4, 5, 16, 63, 64, 65, 150]) {
    const asked = names.slice(0, length);
    expect((await factsOf.rows(db, asked, {})).map(({ name }) => name)).toEqual(asked);
  }
  expect(await factsOf.rows(db, ["nothing", "fact 007"], {})).toEqual([{ name: "fact 007" }]);
  expect(built).toEqual([1, 4, 16, 64]);
});

test("a prepared list takes other values beside its keys", async () => {
  const renamed = new PreparedList(
    (db, names, { value, from }: Placeholders<{ value: string; from: string }>) =>
      db
        .updateTable("store_facts")
        .set({ value })
        .where("name", "in", names)
        .where("value", "=", from)
        .returning("name"),
  );
  const { db } = await openTempDatabase();
  const names = Array.from({ length: 70 }, (_, at) => `fact ${at}`);
  const rows = names.map((name, at) => ({ name, value: at < 66 ? "old" : "other" }));
  await db.insertInto("store_facts").values(rows).execute();

  const changed = await renamed.rows(db, names, { value: "new", from: "old" });

  expect(changed.map(({ name }) => name).toSorted()).toEqual(names.slice(0, 66).toSorted());
  const kept = await db.selectFrom("store_facts").select("name").where("value", "=", "new").execute();
  expect(kept).toHaveLength(66);
});
