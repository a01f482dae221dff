import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import Sqlite from "better-sqlite3";
import { sql } from "kysely";
import { describe, expect, onTestFinished, test } from "vitest";
import type { Db } from "#db/database.ts";
import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { afterCommit, attempt, type Trx, transact } from "#db/transaction.ts";
import { recordFollowUps } from "../setup/follow-up.ts";
import { openTempDatabase, tempDatabaseUrl } from "../setup/temporary.ts";

const run = promisify(execFile);

describe("a transaction", () => {
  test("keeps what its body wrote, and returns what the body returns", async () => {
    const { db } = await openTempDatabase();

    const answer = await transact(db, async (trx) => {
      await setFact(trx, "colour", "blue");
      return 42;
    });

    expect(answer).toBe(42);
    expect(await facts(db)).toEqual([{ name: "colour", value: "blue" }]);
  });

  test("is rolled back when its body throws, and the next one works", async () => {
    const { db } = await openTempDatabase();

    const failed = transact(db, async (trx) => {
      await setFact(trx, "colour", "blue");
      throw new Error("changed my mind");
    });

    await expect(failed).rejects.toThrow("changed my mind");
    expect(await facts(db)).toEqual([]);
    await transact(db, (trx) => setFact(trx, "colour", "green"));
    expect(await facts(db)).toEqual([{ name: "colour", value: "green" }]);
  });

  test("is begun again each time that another comes in its way, twenty times at most", async () => {
    const { db } = await openTempDatabase();
    const deadlock = Object.assign(new Error("deadlock detected"), { code: "40P01" });
    let runs = 0;

    await transact(db, async () => {
      if (++runs < 6) throw deadlock;
    });

    expect(runs).toBe(6);

    runs = 0;
    const hopeless = transact(db, async () => {
      runs++;
      throw deadlock;
    });
    await expect(hopeless).rejects.toThrow("deadlock detected");
    expect(runs).toBe(20);
  });

  test("reports a full disk, and the next one works once there is space", async () => {
    const { db } = await openTempDatabase();
    await sql`pragma max_page_count = 1`.execute(db);
    const failed = transact(db, (trx) => setFact(trx, "essay", "long ".repeat(100_000)));

    await expect(failed).rejects.toMatchObject({ code: "SQLITE_FULL" });
    await sql`pragma max_page_count = 1000000`.execute(db);
    await transact(db, (trx) => setFact(trx, "colour", "green"));
    expect(await facts(db)).toEqual([{ name: "colour", value: "green" }]);
  });

  test("that the database has rolled back ends with the cause, also where an attempt in it failed", async () => {
    const { db } = await openTempDatabase();
    await sql`pragma max_page_count = 1`.execute(db);

    const failed = transact(db, (trx) => attempt(trx, () => setFact(trx, "essay", "long ".repeat(100_000))));

    await expect(failed).rejects.toMatchObject({ code: "SQLITE_FULL" });
  });

  test("is rolled back when one of its statements fails", async () => {
    const { db } = await openTempDatabase();

    const failed = transact(db, async (trx) => {
      await setFact(trx, "colour", "blue");
      await setFact(trx, "colour", "green");
    });

    await expect(failed).rejects.toThrow(/UNIQUE/);
    expect(await facts(db)).toEqual([]);
  });

  test("makes another one on the same handle wait until it has ended", async () => {
    const { db } = await openTempDatabase();
    const order: string[] = [];

    await Promise.all(
      ["first", "second"].map((name) =>
        transact(db, async (trx) => {
          order.push(`${name} begins`);
          await new Promise((resolve) => setTimeout(resolve, 20));
          await setFact(trx, name, name);
          order.push(`${name} ends`);
        }),
      ),
    );

    expect(order).toEqual(["first begins", "first ends", "second begins", "second ends"]);
  });

  test.each<[string, (db: Db, readDb: Db) => Promise<unknown>]>([
    ["a query on the outer handle", (db) => facts(db)],
    ["a query on the read handle", (_db, readDb) => facts(readDb)],
    ["a second transaction", (db) => transact(db, async () => {})],
  ])("refuses %s inside it and is rolled back", async (_what, misuse) => {
    const { db, readDb } = await openTempDatabase();

    const failed = transact(db, async (trx) => {
      await setFact(trx, "colour", "blue");
      await misuse(db, readDb);
    });

    await expect(failed).rejects.toThrow("through the transaction's own handle");
    expect(await facts(db)).toEqual([]);
  });
});

describe("a follow-up declared with afterCommit", () => {
  test("is done once after the commit, however often it was declared", async () => {
    const { db, readDb } = await openTempDatabase();
    const seen: Promise<unknown>[] = [];
    const done = recordFollowUps(db, () => seen.push(facts(readDb)));

    await transact(db, async (trx) => {
      await setFact(trx, "colour", "blue");
      for (let n = 0; n < 10; n++) afterCommit(trx, "sendMails");
      afterCommit(trx, "eraseFiles");
      expect(done).toEqual([]);
    });

    expect(done).toEqual(["sendMails", "eraseFiles"]);
    expect(await Promise.all(seen)).toEqual(Array(2).fill([{ name: "colour", value: "blue" }]));
    await transact(db, (trx) => setFact(trx, "size", "A4"));
    expect(done).toHaveLength(2);
  });

  test("is not done after a rollback", async () => {
    const { db } = await openTempDatabase();
    const done = recordFollowUps(db);

    const failed = transact(db, async (trx) => {
      afterCommit(trx, "sendMails");
      throw new Error("changed my mind");
    });

    await expect(failed).rejects.toThrow("changed my mind");
    expect(done).toEqual([]);
  });

  test("of an attempt() is done if the attempt succeeds, and not if it is rolled back", async () => {
    const { db } = await openTempDatabase();
    const done = recordFollowUps(db);

    await transact(db, async (trx) => {
      afterCommit(trx, "notifyFollowers");
      await attempt(trx, async () => afterCommit(trx, "eraseFiles"));
      await attempt(trx, async () => {
        afterCommit(trx, "notifyFollowers");
        afterCommit(trx, "sendMails");
        throw new Error("changed my mind");
      });
    });

    expect(done).toEqual(["notifyFollowers", "eraseFiles"]);
  });

  test("is done only by the store that owns the database", async () => {
    const one = await openTempDatabase();
    const other = await openTempDatabase();
    const without = await openTempDatabase();
    const done = recordFollowUps(one.db);
    const doneByOther = recordFollowUps(other.db);

    for (const { db } of [one, without]) await transact(db, async (trx) => afterCommit(trx, "sendMails"));

    expect([done, doneByOther]).toEqual([["sendMails"], []]);
  });

  test("may start a transaction of its own", async () => {
    const { db } = await openTempDatabase();
    const finished = Promise.withResolvers<void>();
    recordFollowUps(db, () =>
      transact(db, (trx) => setFact(trx, "mails", "sent")).then(finished.resolve, finished.reject),
    );

    await transact(db, async (trx) => afterCommit(trx, "sendMails"));

    await finished.promise;
    expect(await facts(db)).toEqual([{ name: "mails", value: "sent" }]);
  });
});

describe("with a second connection on the same file", () => {
  test("a transaction holds the write lock from its start, before its first write", async () => {
    const url = await tempDatabaseUrl();
    const { db } = await openMigrated(url);
    const other = new Sqlite(url.slice("file:".length), { timeout: 0 });
    onTestFinished(() => void other.close());
    const write = () => other.prepare("insert into store_facts values ('from', 'another')").run();

    await transact(db, async (trx) => {
      await facts(trx);
      expect(write).toThrow(/database is locked/);
    });

    expect(write).not.toThrow();
  });

  test("readers see the committed state without waiting for an open write transaction", async () => {
    const { db, readDb } = await openTempDatabase();
    const open = Promise.withResolvers<void>();
    const finish = Promise.withResolvers<void>();
    const writing = transact(db, async (trx) => {
      await setFact(trx, "colour", "blue");
      open.resolve();
      await finish.promise;
    });
    await open.promise;
    let writerAnswered = false;
    const onWriter = facts(db).then((rows) => {
      writerAnswered = true;
      return rows;
    });

    const during = await facts(readDb);

    expect(during).toEqual([]);
    expect(writerAnswered).toBe(false);
    finish.resolve();
    await writing;
    expect(await onWriter).toEqual([{ name: "colour", value: "blue" }]);
    expect(await facts(readDb)).toEqual([{ name: "colour", value: "blue" }]);
  });

  test("processes that read and then write in a transaction lose no update", async () => {
    const url = await tempDatabaseUrl();
    const { db } = await openMigrated(url);
    await setFact(db, "count", "0");

    const script = join(import.meta.dirname, "count-up.ts");
    await Promise.all([1, 2, 3].map(() => run(process.execPath, [script, url, "100"])));

    expect(await facts(db)).toEqual([{ name: "count", value: "300" }]);
  });
});

async function openMigrated(url: string) {
  const database = await openDatabase(url);
  onTestFinished(() => database.close());
  await migrate(database.db);
  return database;
}

async function setFact(db: Db | Trx, name: string, value: string): Promise<void> {
  await db.insertInto("store_facts").values({ name, value }).execute();
}

function facts(db: Db | Trx) {
  return db.selectFrom("store_facts").selectAll().execute();
}
