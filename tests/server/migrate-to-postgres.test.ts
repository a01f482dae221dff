import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { seenByStaff } from "../factories/orders.ts";
import { placeAnother } from "../factories/placed-orders.ts";
import { expectDone } from "../factories/shops.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import { type Student, visitorAs } from "../factories/students.ts";
import { type PostgresServer, startPostgres } from "../setup/postgres-server.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";
import { startTraffic, type Traffic } from "./backup.traffic.ts";
import { fillThousands } from "./migrate-to-postgres.fill.ts";
import {
  emptyDatabase,
  migrateKilledAt,
  migrateToPostgres,
  sessionsOn,
  tablesIn,
} from "./migrate-to-postgres.scripts.ts";

let server: PostgresServer;
let dataDir: string;
let url: string;
let traffic: Traffic;
let admin: Student;
/** What was in the database after a killed copy. */
let leftByKilled: string[];
/** The orders confirmed before the copy, and the number placed during it. */
let earlier: string[];
let cameMeanwhile: number;
/** The script's output. */
let report: string;
/** The store on PostgreSQL. */
let moved: TestStore;
beforeAll(async () => {
  server = await startPostgres();
  dataDir = await mkdtemp(join(tmpdir(), "print-store-"));
  await fillThousands(dataDir, 5);
  const store = await startTestStore({ DATA_DIR: dataDir });
  admin = (await signedInAdmin(store)).person;
  const [shopId] = await shopIds(store);
  traffic = await startTraffic(store, shopId);
  await traffic.goesOn({ orders: 4, printed: 1 });

  url = await emptyDatabase(server, "moved");
  await migrateKilledAt("Copied files", dataDir, url);
  await vi.waitUntil(async () => (await sessionsOn(url)) === 0, { timeout: 90_000 });
  leftByKilled = await tablesIn(url);

  earlier = [...traffic.orders.keys()];
  report = await migrateToPostgres(dataDir, url);
  cameMeanwhile = traffic.orders.size - earlier.length;
  await traffic.stop();
  await store.stop();
  moved = await startTestStore({ DATA_DIR: dataDir, DATABASE_URL: url });
});
afterAll(async () => {
  await moved?.stop();
  await server.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test("5,000 orders are copied while students order and staff print", () => {
  expect(cameMeanwhile).toBeGreaterThan(0);
  expect(report).toMatch(/^orders +5\d{3} +[0-9a-f]{16} +equal$/m);
  expect(report).toContain("What has been written since is not in the copy");
  expect(report).not.toContain("DIFFERENT");
});

test("a killed copy leaves nothing in the database, and the next one works", () => {
  expect(leftByKilled).toEqual([]);
  expect(report).toContain("each row as SQLite has it");
});

test("every order confirmed before the copy is in it", async () => {
  const rows = await moved.deps.db.selectFrom("orders").select("id").where("id", "in", earlier).execute();

  expect(rows.map(({ id }) => id).sort()).toEqual(earlier.toSorted());
});

test("on PostgreSQL a student logs in, sees their orders and places another", async () => {
  const [student] = traffic.students as [Student];
  const visitor = await visitorAs(moved, student);

  const { rows } = expectDone(await visitor.query("orders.mine", {}));
  const known = rows.filter(({ id }: { id: string }) => earlier.includes(id));
  expect(known.length).toBeGreaterThan(0);

  const order = expectDone(await visitor.query("orders.one", { orderId: known[0].id }));
  expect(order.number).toBe(known[0].number);
  const [shopId] = await shopIds(moved);
  const { id } = await placeAnother(visitor, student, shopId);
  expect(expectDone(await visitor.query("orders.mine", {})).rows[0].id).toBe(id);
});

test("on PostgreSQL staff see the orders on the board and move one", async () => {
  const staff = await visitorAs(moved, admin);
  const { columns } = expectDone(await staff.query("board.read", {}));
  const { count } = await moved.deps.db
    .selectFrom("orders")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("state", "=", "placed")
    .executeTakeFirstOrThrow();
  expect(columns[0].count).toBe(count);

  const orderId = columns[0].cards[0].id;
  expectDone(await staff.mutate("board.move", { orderId, from: "placed", to: "printing" }));
  expect((await seenByStaff(staff, orderId)).state).toBe("printing");
});
