import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Db } from "#db/database.ts";
import { migrate } from "#db/migrate.ts";
import { openDatabase } from "#db/open.ts";
import { OPEN_STATES, ORDER_STATES } from "#shared/order-states.ts";
import { seenByStaff } from "../factories/orders.ts";
import { expectDone } from "../factories/shops.ts";
import { visitorAs } from "../factories/students.ts";
import { fillStore } from "../load/fill.ts";
import { LOAD_ADMIN, LOAD_PASSWORD, type LoadPlan } from "../load/rows.ts";
import { storedAndComputedStats } from "../setup/computed-stats.ts";
import { openTempDatabase } from "../setup/temporary.ts";
import { databaseUrlFor } from "../setup/test-database.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

/** On a working afternoon, so that some orders are being printed. */
const UNTIL = new Date("2026-10-15T10:30:00.000Z");
const PLAN: LoadPlan = { shops: 4, students: 50, orders: 600, days: 6, until: UNTIL, seed: 7 };

let folder: string;
let store: TestStore;
let db: Db;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "print-store-"));
  const database = await openDatabase(await databaseUrlFor(folder));
  await migrate(database.db);
  await fillStore(database.db, PLAN);
  await database.close();
  store = await startTestStore({ DATA_DIR: folder });
  db = store.deps.readDb;
});
afterAll(async () => {
  await store.stop();
  await rm(folder, { recursive: true, force: true });
});

const login = (email: string) => visitorAs(store, { email, password: LOAD_PASSWORD });

test("a student of a generated store can log in and see their orders", async () => {
  const { email, count } = await db
    .selectFrom("orders")
    .innerJoin("users", "users.id", "orders.user_id")
    .select(["users.email", (eb) => eb.fn.countAll<number>().as("count")])
    .groupBy("users.email")
    .orderBy("users.email")
    .executeTakeFirstOrThrow();

  const { rows } = expectDone(await (await login(email)).query("orders.mine", {}));

  expect(rows).toHaveLength(count);
});

test("later orders have later ids, and every move has a live event", async () => {
  for (const table of ["orders", "order_events", "audit_log"] as const) {
    const rows = await db.selectFrom(table).select(["id", "created_at"]).orderBy("created_at").execute();
    const byId = rows.toSorted((one, other) => (one.id < other.id ? -1 : 1));
    expect(byId.map((row) => row.created_at)).toEqual(rows.map((row) => row.created_at));
  }
  const moves = await db.selectFrom("order_events").select("id").where("state", "!=", "placed").execute();
  const logged = await db.selectFrom("audit_log").select("id").execute();
  expect(logged.length).toBe(moves.length);
});

test("the admin sees every open order on the board, and can open an order in each state", async () => {
  const admin = await login(LOAD_ADMIN);
  const states = await db.selectFrom("orders").select(["id", "state"]).execute();
  const byState = Map.groupBy(states, ({ state }) => state);
  expect([...byState.keys()].sort()).toEqual([...ORDER_STATES].sort());

  const { columns } = expectDone(await admin.query("board.read", {}));
  for (const [index, state] of OPEN_STATES.entries()) {
    expect([state, columns[index].count]).toEqual([state, byState.get(state)?.length]);
  }

  for (const [state, orders] of byState) {
    const order = expectDone(await admin.query("board.order", { orderId: orders[0]?.id }));
    expect(order.history.at(-1).state).toBe(state);
    const pages = order.files.reduce((sum: number, file: { pages: number }) => sum + file.pages, 0);
    expect(order.pages).toBe(pages);
    expect(order.quote.roundingPaise).toBeLessThan(100);
    const { rows } = expectDone(await admin.query("board.page", { search: order.number, state: "all" }));
    expect(rows.map(({ id }: { id: string }) => id)).toEqual([order.id]);
  }
});

test("the owners see the orders of their own shops and can move them", async () => {
  const { email, orderId } = await db
    .selectFrom("orders")
    .innerJoin("shop_staff", "shop_staff.shop_id", "orders.shop_id")
    .innerJoin("users", "users.id", "shop_staff.user_id")
    .select(["users.email", "orders.id as orderId"])
    .where("state", "=", "placed")
    .executeTakeFirstOrThrow();
  const owner = await login(email);

  expectDone(await owner.mutate("board.move", { orderId, from: "placed", to: "printing" }));

  const order = await seenByStaff(owner, orderId);
  expect(order.state).toBe("printing");
});

test("the stored stats match the orders, also after cancellations", async () => {
  const admin = await login(LOAD_ADMIN);
  const open = await db.selectFrom("orders").select(["id", "state"]).where("state", "=", "printed").execute();
  expect(open.length).toBeGreaterThan(0);
  for (const { id, state } of open) {
    expectDone(await admin.mutate("board.cancel", { orderId: id, from: state, reason: "Out of paper" }));
  }

  const { kept, plain } = await storedAndComputedStats(db);

  expect(plain.days.length).toBeGreaterThan(20);
  expect(kept).toEqual(plain);
});

test("the same seed generates the same orders, another seed different ones", async () => {
  const summaryOf = async (plan: LoadPlan) => {
    const database = await openTempDatabase();
    await fillStore(database.db, plan);
    return database.db
      .selectFrom("orders")
      .select(["id", "number", "user_id", "shop_id", "state", "pages", "total_paise", "created_at"])
      .orderBy("number")
      .execute();
  };
  const small = { ...PLAN, orders: 60 };

  const first = await summaryOf(small);
  expect(await summaryOf(small)).toEqual(first);
  expect(await summaryOf({ ...small, seed: 8 })).not.toEqual(first);
});

test("a store with orders is refused", async () => {
  const before = await counts();
  await expect(fillStore(store.deps.db, PLAN)).rejects.toThrow("has orders already");
  expect(await counts()).toEqual(before);
});

async function counts(): Promise<number[]> {
  const tables = ["users", "shops", "orders", "student_words"] as const;
  const rows = tables.map((table) =>
    db
      .selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow(),
  );
  return (await Promise.all(rows)).map(({ count }) => count);
}
