import { setTimeout as sleep } from "node:timers/promises";
import { beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { openDatabase } from "#db/open.ts";
import { transact } from "#db/transaction.ts";
import { createLog } from "#server/lib/log.ts";
import {
  type Concerns,
  EventReader,
  type Follower,
  recordLiveEvent,
} from "#server/orders/live/live.service.ts";
import { type PlacedOrder, placeOrder } from "../factories/placed-orders.ts";
import { shopIds } from "../factories/staff.ts";
import { tempDatabaseUrl } from "../setup/temporary.ts";
import { testStore } from "../setup/test-store.ts";

const TIMEOUT_MS = 30_000;
const LATE_MS = 100;

const store = testStore();
let shopId: string;
let otherShopId: string;
let order: PlacedOrder;
beforeAll(async () => {
  [shopId, otherShopId] = await shopIds(store);
  order = await placeOrder(store, shopId);
});

const inShop =
  (id: string): Concerns =>
  ({ shop_id }) =>
    shop_id === id;

function openReader(): EventReader {
  const reader = new EventReader(store.deps);
  onTestFinished(() => reader.stop());
  return reader;
}

/** Writes an event for each of these shops. */
function write(...ids: string[]): Promise<void> {
  return transact(store.deps.db, async (trx) => {
    for (const id of ids)
      await recordLiveEvent(trx, store.deps, "moved", { id: order.id, shop_id: id, state: "printing" });
  });
}

async function closedDatabase() {
  const { readDb, close } = await openDatabase(await tempDatabaseUrl());
  await close();
  return readDb;
}

function hears(follower: Follower, heard: number): Promise<void> {
  return follower.wait(heard, TIMEOUT_MS, new AbortController().signal);
}

test("an event wakes only the streams it concerns", async () => {
  const reader = openReader();
  const here = await reader.follow(inShop(shopId));
  const elsewhere = await reader.follow(inShop(otherShopId));
  const { user_id: userId } = await store.deps.readDb
    .selectFrom("orders")
    .select("user_id")
    .where("id", "=", order.id)
    .executeTakeFirstOrThrow();
  const student = await reader.follow(({ user_id }) => user_id === userId);

  await write(shopId);
  reader.notify();
  await Promise.all([hears(here, 0), hears(student, 0)]);
  expect([here.count, student.count, elsewhere.count]).toEqual([1, 1, 0]);

  await write(otherShopId);
  reader.notify();
  await hears(elsewhere, 0);
  expect([here.count, elsewhere.count]).toEqual([1, 1]);
});

test("what another server writes is looked for every second", async () => {
  vi.useFakeTimers({ toFake: ["setInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const follower = await openReader().follow(inShop(shopId));
  await write(shopId);
  const reads = vi.spyOn(store.deps.readDb, "selectFrom");
  onTestFinished(() => reads.mockRestore());
  vi.advanceTimersByTime(999);
  await sleep(0);
  expect(reads.mock.calls.filter(([table]) => String(table) === "live_events")).toEqual([]);
  vi.advanceTimersByTime(1);
  await hears(follower, 0);
  expect(follower.count).toBe(1);
});

test("events written during a read are not missed, and one read serves all streams", async () => {
  const reader = openReader();
  const followers = await Promise.all(Array.from({ length: 20 }, () => reader.follow(inShop(shopId))));
  const reads = vi.spyOn(store.deps.readDb, "selectFrom");
  onTestFinished(() => reads.mockRestore());

  await write(shopId);
  reader.notify();
  reader.notify();
  await Promise.all(followers.map((follower) => hears(follower, 0)));
  const writing = write(otherShopId, shopId);
  reader.notify();
  await writing;
  reader.notify();
  await Promise.all(followers.map((follower) => hears(follower, 1)));

  // The store also reads other tables, for example when it checks the order's file for colour.
  const ofLog = reads.mock.calls.filter(([table]) => String(table) === "live_events");
  expect(ofLog.length).toBeGreaterThan(0);
  expect(ofLog.length).toBeLessThanOrEqual(4);
});

test("where events cannot be read, each stream looks itself, and so learns what is wrong, and the log says why", async () => {
  const deps = { readDb: store.deps.readDb, log: createLog("silent") };
  const reader = new EventReader(deps);
  onTestFinished(() => reader.stop());
  const follower = await reader.follow(inShop(shopId));
  deps.readDb = await closedDatabase();
  const errors = vi.spyOn(deps.log, "error");
  reader.notify();
  await hears(follower, 0);
  expect(follower.count).toBeGreaterThan(0);
  expect(errors).toHaveBeenCalledWith({ err: expect.any(Error) }, "new events of orders could not be read");
});

test("a stream opened after all others have closed gets new events only", async () => {
  const reader = openReader();
  const first = await reader.follow(inShop(shopId));
  first.leave();
  await write(shopId);
  reader.notify();

  const second = await reader.follow(inShop(shopId));
  await sleep(LATE_MS);
  expect([first.count, second.count]).toEqual([0, 0]);
  await write(shopId);
  reader.notify();
  await hears(second, 0);
  expect([first.count, second.count]).toEqual([0, 1]);
});
