import { setTimeout as sleep } from "node:timers/promises";
import Sqlite from "better-sqlite3";
import { sql } from "kysely";
import { expect, onTestFinished, test, vi } from "vitest";
import type { Db } from "#db/database.ts";
import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { type Trx, transact } from "#db/transaction.ts";
import { openTempDatabase, tempDatabaseUrl } from "../setup/temporary.ts";

const names = Array.from({ length: 20 }, (_, index) => `fact ${index}`);
const ESSAY = "long ".repeat(100_000);

test("transactions started in the same tick share one commit and resolve after it", async () => {
  const { db, readDb, commitMark } = await openTempDatabase();
  const before = commitMark();
  const seen = await Promise.all(
    names.map(async (name) => {
      await transact(db, (trx) => setFact(trx, name));
      return (await facts(readDb)).length;
    }),
  );
  expect(commitMark() - before).toBe(1);
  expect(new Set(seen)).toEqual(new Set([names.length]));
});

test("transactions started in successive ticks share one commit, and a lone one does not wait for others", async () => {
  // However long this process is held up between two turns, it is turns that count.
  vi.useFakeTimers({ toFake: ["performance"] });
  onTestFinished(() => void vi.useRealTimers());
  const { db, readDb, commitMark } = await openTempDatabase();
  const before = commitMark();
  const writing: Promise<void>[] = [];
  for (const name of names.slice(0, 5)) {
    writing.push(transact(db, (trx) => setFact(trx, name)));
    await new Promise((resolve) => setImmediate(resolve));
    expect(await facts(readDb)).toEqual([]);
  }
  await Promise.all(writing);
  expect(commitMark() - before).toBe(1);

  let turns = 0;
  const counting = setInterval(() => turns++, 0);
  onTestFinished(() => clearInterval(counting));
  await transact(db, (trx) => setFact(trx, "alone"));
  expect(commitMark() - before).toBe(2);
  expect(turns).toBeLessThan(10);
});

test("of very many transactions the first do not wait for the last", async () => {
  const { db, commitMark } = await openTempDatabase();
  const before = commitMark();
  await Promise.all(Array.from({ length: 1000 }, (_, index) => setFact(db, `fact ${index}`)));
  expect(commitMark() - before).toBeGreaterThanOrEqual(10);
});

test("a transaction waits for a slow one that follows it at most, and not for those behind that", async () => {
  const { db } = await openTempDatabase();
  let isWritten = false;
  const first = transact(db, (trx) => setFact(trx, "first")).then(() => {
    isWritten = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  const slow = transact(db, () => sleep(100));
  const behind = transact(db, async () => {
    await Promise.race([first, sleep(2000)]);
    return isWritten;
  });
  await slow;
  expect(await behind).toBe(true);
});

test("what is written when the database is closed is committed", async () => {
  const url = await tempDatabaseUrl();
  const { db, close } = await openDatabase(url);
  await migrate(db);
  const writing = setFact(db, "late");
  await new Promise((resolve) => setImmediate(resolve));
  await close();
  await writing;
  const again = await openDatabase(url);
  onTestFinished(again.close);
  expect(await facts(again.db)).toEqual(["late"]);
});

test("a transaction sees the earlier ones of its commit group, but not those that failed", async () => {
  const { db } = await openTempDatabase();
  const outcomes = await Promise.allSettled(
    names.map((name, index) =>
      transact(db, async (trx) => {
        const before = (await facts(trx)).length;
        await setFact(trx, name);
        if (index % 3 === 0) throw new Error(`no ${name}`);
        return before;
      }),
    ),
  );
  const kept = names.filter((_name, index) => index % 3 !== 0);
  const befores = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
  expect(befores).toEqual(kept.map((_name, index) => index));
  expect((await facts(db)).toSorted()).toEqual(kept.toSorted());
});

test("single statements join the commit group, and a failing one does not affect the others", async () => {
  const { db, commitMark } = await openTempDatabase();
  const before = commitMark();
  const [refused, ...done] = await Promise.allSettled([
    setFact(db, "twice").then(() => setFact(db, "twice")),
    ...names.map((name) => setFact(db, name)),
  ]);
  expect(refused).toMatchObject({
    status: "rejected",
    reason: { code: expect.stringContaining("CONSTRAINT") },
  });
  expect(done.every(({ status }) => status === "fulfilled")).toBe(true);
  expect(commitMark() - before).toBeLessThan(4);
  expect(await facts(db)).toHaveLength(names.length + 1);
});

test("a read that saw uncommitted writes of the same connection resolves after their commit", async () => {
  const { db, readDb } = await openTempDatabase();
  const [, read] = await Promise.all([
    transact(db, (trx) => setFact(trx, "colour")),
    facts(db).then(async (seen) => ({ seen, committed: await facts(readDb) })),
  ]);
  expect(read.committed).toEqual(read.seen);
});

test("on a full disk only those transactions succeed whose rows were written", async () => {
  const { db } = await openTempDatabase();
  await sql`pragma max_page_count = 1`.execute(db);
  const outcomes = await Promise.allSettled([
    transact(db, (trx) => setFact(trx, "short")),
    transact(db, (trx) => setFact(trx, "essay", ESSAY)),
    transact(db, (trx) => setFact(trx, "late")),
  ]);
  await sql`pragma max_page_count = 1000000`.execute(db);

  const written = await facts(db);
  expect(outcomes[1]).toMatchObject({ status: "rejected", reason: { code: "SQLITE_FULL" } });
  const told = ["short", "essay", "late"].filter((_name, index) => outcomes[index]?.status === "fulfilled");
  expect(written).toEqual(told);
  await transact(db, (trx) => setFact(trx, "green"));
  expect(await facts(db)).toContain("green");
});

test("a commit that fails is rolled back, and the next one succeeds", async () => {
  const { db } = await openTempDatabase();
  const toFact = sql`references store_facts (name) deferrable initially deferred`;
  await sql`create table later (name text ${toFact})`.execute(db);
  const dangling = transact(db, (trx) => sql`insert into later values ('nobody')`.execute(trx));
  await expect(dangling).rejects.toThrow("FOREIGN KEY");
  await transact(db, (trx) => setFact(trx, "green"));
  expect(await facts(db)).toEqual(["green"]);
});

test("a transaction that SQLite has rolled back cannot continue, even if its body does", async () => {
  const { db } = await openTempDatabase();
  await sql`pragma max_page_count = 1`.execute(db);
  const stubborn = transact(db, async (trx) => {
    await setFact(trx, "essay", ESSAY).catch(() => {});
    await sql`select 1`.execute(trx);
  });
  await expect(stubborn).rejects.toThrow("rolled back already");
});

test("while another process holds the write lock a write waits, and then succeeds", async () => {
  const url = await tempDatabaseUrl();
  const { db, close } = await openDatabase(url);
  onTestFinished(close);
  await migrate(db);
  const other = new Sqlite(url.slice("file:".length));
  onTestFinished(() => void other.close());
  other.exec("begin immediate");
  let isWritten = false;
  const writing = setFact(db, "patience").then(() => {
    isWritten = true;
  });

  await sleep(100);
  expect(isWritten).toBe(false);
  other.exec("commit");
  await writing;

  expect(await facts(db)).toEqual(["patience"]);
});

test("a database whose write lock stays taken is given up: it is not opened, and what is open does not write", async () => {
  const url = await tempDatabaseUrl();
  const other = new Sqlite(url.slice("file:".length));
  onTestFinished(() => void other.close());
  other.exec("begin immediate");
  await expect(openDatabase(url, { busyMs: 20 })).rejects.toThrow("locked");
  other.exec("commit");

  const { db, close } = await openDatabase(url, { busyMs: 20 });
  onTestFinished(close);
  await migrate(db);
  other.exec("begin immediate");
  await expect(setFact(db, "impatience")).rejects.toMatchObject({ code: "SQLITE_BUSY" });
  other.exec("commit");
  await setFact(db, "patience");
  expect(await facts(db)).toEqual(["patience"]);
});

async function setFact(db: Db | Trx, name: string, value = "blue"): Promise<void> {
  await db.insertInto("store_facts").values({ name, value }).execute();
}

async function facts(db: Db | Trx): Promise<string[]> {
  const rows = await db.selectFrom("store_facts").select("name").orderBy("name").execute();
  return rows.map(({ name }) => name);
}
