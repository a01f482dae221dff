import { type Kysely, sql } from "kysely";
import { expect, test } from "vitest";
import { MIGRATIONS, migrate } from "#db/migrate.ts";
import { type Db, openDatabase } from "#db/open.ts";
import { openTempDatabase, tempDatabaseUrl } from "../setup/temp-database.ts";

test("a new file gets every migration, and a second run finds nothing to do", async () => {
  const database = await openDatabase(await tempDatabaseUrl());

  const first = await migrate(database.db);
  const second = await migrate(database.db);
  await database.close();

  expect(first[0]).toBe("2026-11-21-store");
  expect(second).toEqual([]);
});

test("a failing migration leaves nothing behind, nor do those before it in the same run", async () => {
  const { db } = await openTempDatabase();
  const before = await everything(db);
  const first = { up: (trx: Kysely<unknown>) => createShelf(trx, "first_shelf") };
  const second = {
    up: async (trx: Kysely<unknown>) => {
      await createShelf(trx, "second_shelf");
      await sql`insert into second_shelf (id) values (1), (1)`.execute(trx);
    },
  };
  const failed = migrate(db, { ...MIGRATIONS, "9998-first": first, "9999-second": second });

  await expect(failed).rejects.toThrow(/UNIQUE/);
  expect(await everything(db)).toEqual(before);
  expect(await migrate(db, { ...MIGRATIONS, "9998-first": first })).toEqual(["9998-first"]);
});

test("a database that a newer version of the store has migrated is refused", async () => {
  const { db } = await openTempDatabase();
  const newer = { up: (trx: Kysely<unknown>) => createShelf(trx, "shelf") };
  await migrate(db, { ...MIGRATIONS, "9999-newer": newer });

  await expect(migrate(db)).rejects.toThrow(/newer than this code: .* 9999-newer/);
});

async function createShelf(db: Kysely<unknown>, name: string): Promise<void> {
  await db.schema
    .createTable(name)
    .addColumn("id", "integer", (c) => c.primaryKey())
    .execute();
}

/** The whole schema, and which migrations have run. */
async function everything(db: Db) {
  return {
    schema: (await sql`select type, name, sql from sqlite_schema order by name`.execute(db)).rows,
    migrations: (await sql`select * from kysely_migration`.execute(db)).rows,
  };
}
