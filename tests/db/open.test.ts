import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { sql } from "kysely";
import { describe, expect, test } from "vitest";
import type { Db } from "#db/database.ts";
import { openDatabase } from "#db/open.ts";
import { openTempDatabase, tempFolder } from "../setup/temporary.ts";

const A_FACT = { name: "colour", value: "blue" };

describe("both connections", () => {
  test("use WAL, sync every commit and enforce foreign keys", async () => {
    const { db, readDb } = await openTempDatabase();

    for (const handle of [db, readDb]) {
      expect(await pragma(handle, "journal_mode")).toBe("wal");
      expect(await pragma(handle, "synchronous")).toBe(2);
      expect(await pragma(handle, "foreign_keys")).toBe(1);
    }
    // The one that writes waits by itself.
    expect([await pragma(db, "busy_timeout"), await pragma(readDb, "busy_timeout")]).toEqual([0, 5000]);
  });

  test("create the missing folders of the file", async () => {
    const folder = await tempFolder();
    const database = await openDatabase(`file:${join(folder, "a/b/store.sqlite")}`);

    expect((await sql`select 1 as one`.execute(database.db)).rows).toEqual([{ one: 1 }]);
    await database.close();
  });

  test("wait while another process creates the file", async () => {
    const path = join(await tempFolder(), "store.sqlite");
    const other = new Worker(join(import.meta.dirname, "hold-write-lock.ts"), {
      workerData: { path, ms: 300 },
    });
    await once(other, "message");

    const database = await openDatabase(`file:${path}`);

    expect(await pragma(database.db, "journal_mode")).toBe("wal");
    await database.close();
    await once(other, "exit");
  });

  test("are closed together, used or not", async () => {
    const database = await openTempDatabase();
    await database.close();

    await expect(database.db.selectFrom("store_facts").selectAll().execute()).rejects.toThrow();
    await expect(database.readDb.selectFrom("store_facts").selectAll().execute()).rejects.toThrow();
  });
});

test("a URL with an unknown scheme is refused by name, and a file that is no database as such", async () => {
  const path = join(await tempFolder(), "letter.txt");
  await writeFile(path, "Dear all, this is not a database, however long you look at it.".repeat(20));

  await expect(openDatabase("mysql://localhost/store")).rejects.toThrow(
    "DATABASE_URL must begin with file: or postgres:",
  );
  await expect(openDatabase(`file:${path}`)).rejects.toThrow(/not a database/);
});

test("a file that this account cannot write is refused by its name, also one that SQLite keeps beside the database", async () => {
  const folder = await tempFolder();
  const path = join(folder, "store.sqlite");
  const shared = `${path}-shm`;
  const database = await openDatabase(`file:${path}`);
  // As a command leaves it that somebody else has run.
  await cp(shared, `${path}.kept`);
  await database.close();
  await rename(`${path}.kept`, shared);
  await chmod(folder, 0o777);
  await chmod(path, 0o666);
  await chmod(shared, 0o444);

  const program = `import { openDatabase } from "#db/open.ts"; await openDatabase("file:${path}");`;
  const { stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    encoding: "utf8",
    // Root may write everything.
    ...(process.getuid?.() === 0 && { uid: 65534 }),
  });

  expect(stderr).toContain(
    `DATABASE_URL: ${path} cannot be opened: EACCES: permission denied, access '${shared}'`,
  );
});

test("the read connection cannot write", async () => {
  const { readDb } = await openTempDatabase();

  await expect(readDb.insertInto("store_facts").values(A_FACT).execute()).rejects.toThrow(/readonly/);
});

describe("the schema", () => {
  test("declares every table as strict", async () => {
    const { db } = await openTempDatabase();
    const { rows } = await sql<{ name: string; strict: number }>`
      select name, strict from pragma_table_list
      where schema = 'main' and name not like 'sqlite_%' and name not like 'kysely_%'
    `.execute(db);

    expect(rows.length).toBeGreaterThanOrEqual(14);
    expect(rows.filter((table) => table.strict !== 1)).toEqual([]);
  });

  test.each([
    ["text in an integer column", "rating_tenths", "'many'"],
    ["a fraction in an integer column", "per_page_paise", "1.5"],
    ["nothing in a column that needs a value", "email", "null"],
    ["a blob in a text column", "name", "x'00'"],
  ])("refuses %s", async (_what, column, value) => {
    const { db } = await openTempDatabase();

    await expect(insertShop(db, { [column]: value })).rejects.toThrow(/cannot store|NOT NULL/);
    expect(await db.selectFrom("shops").selectAll().execute()).toEqual([]);
    await insertShop(db, {});
    expect(await db.selectFrom("shops").selectAll().execute()).toHaveLength(1);
  });

  test("refuses a dangling reference, and deletes a shop's options with the shop", async () => {
    const { db } = await openTempDatabase();
    const option = {
      id: "o1",
      kind: "paperSizes" as const,
      name: "A4",
      price_paise: 0,
      basis: "page" as const,
      sides: 1,
      position: 0,
      active: 1 as const,
    };

    const orphan = db.insertInto("shop_options").values({ ...option, shop_id: "nowhere" });
    await expect(orphan.execute()).rejects.toThrow(/FOREIGN KEY/);
    await insertShop(db, {});
    await db
      .insertInto("shop_options")
      .values({ ...option, shop_id: "s1" })
      .execute();
    await db.deleteFrom("shops").execute();

    expect(await db.selectFrom("shop_options").selectAll().execute()).toEqual([]);
  });
});

async function pragma(db: Db, name: string): Promise<unknown> {
  const { rows } = await sql<Record<string, unknown>>`pragma ${sql.raw(name)}`.execute(db);
  return Object.values(rows[0] ?? {})[0];
}

/** Inserts a shop in plain SQL, with some columns given as SQL literals. */
function insertShop(db: Db, changes: Record<string, string>) {
  const row = {
    id: "'s1'",
    name: "'A shop'",
    location: "'Somewhere'",
    college: "'A college'",
    image: "'/a.svg'",
    rating_tenths: "45",
    per_page_paise: "125",
    email: "'orders@a-shop.example'",
    contact_number: "'+91 00000 00000'",
    created_at: "'2026-01-02T03:04:05.678Z'",
    ...changes,
  };
  return sql`insert into shops (${sql.raw(Object.keys(row).join())}) values (${sql.raw(Object.values(row).join())})`.execute(
    db,
  );
}
