import { type AddressInfo, connect, createServer, Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { type Kysely, PostgresDriver, sql } from "kysely";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import type { Database, Db } from "#db/database.ts";
import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { type Placeholders, PreparedQuery } from "#db/prepared.ts";
import { afterCommit, attempt, type Trx, transact } from "#db/transaction.ts";
import { recordFollowUps } from "../setup/follow-up.ts";
import { type PostgresServer, startPostgres } from "../setup/postgres-server.ts";

let server: PostgresServer;
let url: string;
beforeAll(async () => {
  server = await startPostgres();
  url = server.url("postgres");
  const database = await openDatabase(url);
  await migrate(database.db);
  await database.close();
});
afterAll(() => server.stop());

async function open(path = url): Promise<Database> {
  const database = await openDatabase(path);
  onTestFinished(() => database.close());
  return database;
}

/** A way to the server of which one side can lose its connections, while the other keeps them. */
async function startPath(target: number) {
  const pairs: { near: Socket; far: Socket }[] = [];
  const lost: Socket[] = [];
  let opened = 0;
  const listener = createServer((near) => {
    opened++;
    const far = connect(target, "127.0.0.1");
    pairs.push({ near, far });
    near.on("error", () => {}).on("data", (chunk) => far.write(chunk));
    far.on("error", () => {}).on("data", (chunk) => near.write(chunk));
    near.on("end", () => far.end());
    far.on("end", () => near.end());
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const { near, far } of pairs) for (const socket of [near, far]) socket.destroy();
    listener.close();
  });
  return {
    port: (listener.address() as AddressInfo).port,
    /** How many connections there were so far. */
    opened: () => opened,
    /** How many there are now. */
    open: () => pairs.filter(({ near }) => !near.destroyed).length,
    lose() {
      for (const { near, far } of pairs) {
        lost.push(far);
        near.destroy();
      }
    },
    endLost() {
      for (const far of lost) far.destroy();
    },
  };
}

function setFact(db: Db | Trx, name: string, value: string) {
  return db
    .insertInto("store_facts")
    .values({ name, value })
    .onConflict((conflict) => conflict.column("name").doUpdateSet({ value }))
    .execute();
}

async function fact(db: Db | Trx, name: string): Promise<string | undefined> {
  const row = await db.selectFrom("store_facts").select("value").where("name", "=", name).executeTakeFirst();
  return row?.value;
}

test("two servers that migrate a new database at the same moment both succeed", async () => {
  const { db } = await open();
  await sql`create database fresh`.execute(db);
  const both = await Promise.all([1, 2].map(() => openDatabase(server.url("fresh"))));

  const done = await Promise.all(both.map((each) => migrate(each.db)));

  expect(done.map((names) => names.length).sort()).toEqual([0, done.flat().length]);
  await Promise.all(both.map((each) => each.close()));
});

test("a database that is closed leaves no connection, used or not", async () => {
  const { db } = await open();
  const others = sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where application_name = 'print-store' and pid <> pg_backend_pid()`;
  const countOthers = async () => (await others.execute(db)).rows[0]?.count;
  for (const isUsed of [false, true]) {
    const other = await openDatabase(url);
    if (isUsed) await fact(other.db, "name");
    expect(await countOthers()).toBe(1);
    await other.close();
    // PostgreSQL needs a moment to notice; the pool would give an idle connection up after ten seconds.
    await expect.poll(countOthers, { timeout: 9000 }).toBe(0);
  }
});

test("a server that cannot join the others leaves no connection, however often it tries", async () => {
  const { db } = await open();
  // As on a standby that has not taken over yet, which refuses what joining needs.
  await sql`create schema standby`.execute(db);
  await sql`create function standby.pg_try_advisory_lock_shared(bigint) returns boolean language plpgsql
    as $$ begin raise exception 'during recovery'; end $$`.execute(db);
  const database = await openDatabase(`${url}?options=-c%20search_path%3Dstandby,pg_catalog`);
  onTestFinished(() => database.close());
  for (let tries = 0; tries < 3; tries++)
    await expect(database.cluster?.join({ alone: false })).rejects.toThrow("during recovery");
  const joining = sql<{ count: number }>`
    select count(*) as count from pg_stat_activity where query like 'select pg_try_advisory_lock_shared%'`;
  await expect.poll(async () => (await joining.execute(db)).rows[0]?.count).toBe(0);
});

test("who waits in vain for a connection of a full pool is refused, and does not queue again and again", async () => {
  const { db } = await openDatabase(url, { poolSize: 1 });
  onTestFinished(() => db.destroy());
  const acquire = vi.spyOn(PostgresDriver.prototype, "acquireConnection");
  onTestFinished(() => acquire.mockRestore());
  await db.transaction().execute(async () => {
    acquire.mockClear();
    await expect(fact(db, "name")).rejects.toThrow("timeout exceeded when trying to connect");
    expect(acquire.mock.calls.length).toBeLessThanOrEqual(2);
  });
});

test("PostgreSQL caches the plan of a prepared query, except for 'select *', which a new column would break", async () => {
  const { db } = await openDatabase(url, { poolSize: 1 });
  onTestFinished(() => db.destroy());
  const valueOfFact = new PreparedQuery((db, { name }: Placeholders<{ name: string }>) =>
    db.selectFrom("store_facts").select("value").where("name", "=", name),
  );
  const allOfFact = new PreparedQuery((db, { name }: Placeholders<{ name: string }>) =>
    db.selectFrom("store_facts").selectAll().where("name", "=", name),
  );
  await setFact(db, "kept", "plan");
  const ask = async () => [
    await valueOfFact.first(db, { name: "kept" }),
    await allOfFact.first(db, { name: "kept" }),
  ];
  await ask();

  const { rows } = await sql<{ statement: string }>`select statement from pg_prepared_statements`.execute(db);
  expect(rows).toEqual([{ statement: 'select "value" from "store_facts" where "name" = $1' }]);
  await sql`alter table store_facts add column later text`.execute(db);
  onTestFinished(async () => {
    await sql`alter table store_facts drop column later`.execute(db);
  });
  expect(await ask()).toEqual([{ value: "plan" }, { name: "kept", value: "plan", later: null }]);
});

test("a migration may take longer than other statements", async () => {
  const { db } = await open();
  await sql`create database slow`.execute(db);
  const slow = await openDatabase(server.url("slow"), { statementMs: 200 });
  const first = { up: (trx: Kysely<unknown>) => sql`select pg_sleep(0.5)`.execute(trx).then(() => {}) };

  expect(await migrate(slow.db, { first })).toEqual(["first"]);
  await expect(sql`select pg_sleep(0.5)`.execute(slow.db)).rejects.toMatchObject({ code: "57014" });
  await slow.close();
});

test("a transaction of a server that does nothing any more ends, so that others can write its rows", async () => {
  const { db } = await open();
  const hung = await openDatabase(url, { statementMs: 200 });
  const hasWritten = Promise.withResolvers<void>();
  const goesOn = Promise.withResolvers<void>();
  const hanging = hung.db.transaction().execute(async (trx) => {
    await setFact(trx, "held", "by the server that hangs");
    hasWritten.resolve();
    await goesOn.promise;
  });
  await hasWritten.promise;

  await setFact(db, "held", "by another");

  goesOn.resolve();
  await expect(hanging).rejects.toThrow();
  expect(await fact(db, "held")).toBe("by another");
  await hung.close();
});

describe("a transaction that loses its connection", () => {
  /** Runs a transaction whose connection is ended before `end`. */
  async function lose(database: Database, end: () => void): Promise<void> {
    const { db: other } = await open();
    const pid = Promise.withResolvers<number>();
    const isLost = Promise.withResolvers<void>();
    const running = transact(database.db, async (trx) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(trx);
      pid.resolve(rows[0]?.pid ?? 0);
      await isLost.promise;
      end();
    });
    await sql`select pg_terminate_backend(${await pid.promise})`.execute(other);
    isLost.resolve();
    return running;
  }

  test("ends with the error of its body, and not with that of the rollback", async () => {
    const lost = lose(await open(), () => {
      throw new Error("the first");
    });
    await expect(lost).rejects.toThrow("the first");
  });

  test("counts as a commit where only its answer may be lost", async () => {
    const database = await open();
    const before = database.commitMark();
    await expect(lose(database, () => {})).rejects.toThrow();
    expect(database.commitMark()).toBeGreaterThan(before);
  });
});

describe("values", () => {
  test("are the same as on SQLite: numbers for counts and sums, 64-bit integers", async () => {
    const { db } = await open();
    const paise = 9_000_000_000_000;
    const day = { shop_id: "big", day: "2026-11-21", orders: 1, pages: 1, sheets: 1, cancelled: 0 };
    await db
      .insertInto("daily_stats")
      .values({ ...day, revenue_paise: paise })
      .execute();

    const row = await db
      .selectFrom("daily_stats")
      .select(({ fn }) => [fn.countAll<number>().as("days"), fn.sum<number>("revenue_paise").as("revenue")])
      .where("shop_id", "=", "big")
      .executeTakeFirst();

    expect(row).toEqual({ days: 1, revenue: paise });
  });

  test("sort by bytes, whatever the collation of the database", async () => {
    const { db } = await open();
    for (const name of ["order b", "order A", "order-a", "order B", "order ä"]) await setFact(db, name, "");

    const rows = await db
      .selectFrom("store_facts")
      .select("name")
      .where("name", "like", "order%")
      .orderBy("name")
      .execute();

    expect(rows.map(({ name }) => name)).toEqual(["order A", "order B", "order b", "order ä", "order-a"]);
    const { rows: sorted } = await sql<{ word: string }>`
      select word from (values ('b'), ('A'), ('a'), ('B')) as words (word) order by word`.execute(db);
    expect(sorted.map(({ word }) => word)).toEqual(["a", "A", "b", "B"]);
  });

  test("compare to an empty list: 'in' matches nothing, 'not in' everything", async () => {
    const { db } = await open();
    await setFact(db, "alone", "here");
    const facts = db.selectFrom("store_facts").select("value").where("name", "=", "alone");

    expect(await facts.where("value", "in", []).execute()).toEqual([]);
    expect(await facts.where("value", "not in", []).execute()).toEqual([{ value: "here" }]);
  });
});

test("two transactions that deadlock both succeed, after one retry", async () => {
  const { db } = await open();
  await setFact(db, "left", "0");
  await setFact(db, "right", "0");
  let bodies = 0;
  const arrivals = Promise.withResolvers<void>();
  const committed = Promise.withResolvers<void>();
  const add = async (first: string, second: string) => {
    await transact(db, async (trx) => {
      // The one that is retried waits for the other, which it might overtake into the next deadlock.
      if (bodies >= 2) await committed.promise;
      await raise(trx, first);
      // Counted once it holds its first: before, the other might take both.
      bodies++;
      if (bodies >= 2) arrivals.resolve();
      await arrivals.promise;
      await raise(trx, second);
    });
    committed.resolve();
  };

  await Promise.all([add("left", "right"), add("right", "left")]);

  expect([await fact(db, "left"), await fact(db, "right"), bodies]).toEqual(["2", "2", 3]);
});

test("after a transaction that is retried, also from an attempt in it, only the follow-ups of its last run are done, once", async () => {
  const { db } = await open();
  const done = recordFollowUps(db);
  await setFact(db, "taken", "by another");
  let runs = 0;

  await transact(db, async (trx) => {
    afterCommit(trx, "sendMails");
    if (runs++ > 0) return;
    afterCommit(trx, "eraseFiles");
    // PostgreSQL says the same where another has taken the name since this transaction looked.
    const insert = trx.insertInto("store_facts").values({ name: "taken", value: "by me" });
    await attempt(trx, () => insert.execute());
  });

  expect([runs, done]).toEqual([2, ["sendMails"]]);
});

function raise(trx: Trx, name: string) {
  return sql`update store_facts set value = (value::int + 1)::text where name = ${name}`.execute(trx);
}

describe("the servers of a database", () => {
  test("may be several, or a single exclusive one; a server that closes makes room", async () => {
    const [first, second, third] = [await open(), await open(), await open()];

    expect(await first.cluster?.join({ alone: false })).toBe(true);
    expect(await second.cluster?.join({ alone: false })).toBe(true);
    expect(await third.cluster?.join({ alone: true })).toBe(false);
    await first.close();
    await second.close();
    expect(await third.cluster?.join({ alone: true })).toBe(true);
  });

  test("wait a moment for one that is just going", async () => {
    const [going, next] = [await open(), await open()];
    await going.cluster?.join({ alone: true });
    // The moment does not pass.
    vi.useFakeTimers({ toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const joining = next.cluster?.join({ alone: true });
    await pause(300);
    await going.close();
    expect(await joining).toBe(true);
  });

  test("leave no connection where one closes while it joins again", async () => {
    const path = await startPath(Number(new URL(url).port));
    const { cluster, close } = await openDatabase(url.replace(/:\d+\//, `:${path.port}/`));
    await cluster?.join({ alone: false });
    const before = path.opened();
    path.lose();
    path.endLost();
    await expect.poll(path.opened, { interval: 1 }).toBeGreaterThan(before);
    await close();
    await expect.poll(path.open).toBe(0);
  });

  test("do not take the connection that one of them has lost, and PostgreSQL still keeps, for another server", async () => {
    const path = await startPath(Number(new URL(url).port));
    const { cluster } = await open(url.replace(/:\d+\//, `:${path.port}/`));
    const told: string[] = [];
    await cluster?.join({ alone: true, onTaken: () => told.push("taken") });
    cluster?.onLiveEvents(() => told.push("back"));

    path.lose();
    // Several rounds of trying to join.
    await expect.poll(() => told.length > 0 || path.opened() > 20).toBe(true);
    expect(told).toEqual([]);
    path.endLost();
    await expect.poll(() => told).toEqual(["back"]);
  });

  test("ask after a quiet minute whether PostgreSQL is still there: nothing is sent on a connection that only listens", async () => {
    const keepAlive = vi.spyOn(Socket.prototype, "setKeepAlive");
    onTestFinished(() => keepAlive.mockRestore());
    const { cluster } = await open();
    await cluster?.join({ alone: false });
    expect(keepAlive.mock.calls).toEqual([[true, 60_000]]);
  });

  test("are notified at once when another server writes a live event", async () => {
    const [one, other] = [await open(), await open()];
    const heard: number[] = [];
    await other.cluster?.join({ alone: false });
    other.cluster?.onLiveEvents(() => heard.push(1));

    await one.db.updateTable("live_event_head").set({ seq: 1 }).execute();

    await expect.poll(() => heard.length, { interval: 10 }).toBe(1);
  });

  test("are notified again after a restart of PostgreSQL, which counts as a missed event", async () => {
    const { cluster, db } = await open();
    let heard = 0;
    await cluster?.join({ alone: false });
    cluster?.onLiveEvents(() => heard++);

    await server.halt();
    await server.resume();

    await expect.poll(() => heard).toBe(1);
    await db.updateTable("live_event_head").set({ seq: 2 }).execute();
    await expect.poll(() => heard).toBe(2);
  });
});

test("a query sent while PostgreSQL is down waits for it", async () => {
  const { db } = await open();
  await setFact(db, "before", "kept");
  await server.halt();
  const asked = fact(db, "before");
  await server.resume();

  expect(await asked).toBe("kept");
});
