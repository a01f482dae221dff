import { beforeAll, expect, test } from "vitest";
import { createKeyring } from "#server/lib/crypto.ts";
import { claimDueMessages } from "#server/push/push.queries.ts";
import { loadVapidKeys } from "#server/push/push.worker.ts";
import { MAX_PUSH_DEVICES } from "#shared/schemas/push.ts";
import { moveTo, type PlacedOrder, placeAnother } from "../factories/placed-orders.ts";
import { shownShop } from "../factories/shops.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { logIn, signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { followUp } from "../setup/follow-up.ts";
import { isOn, openPushes, titles } from "./push.fixtures.ts";

const { service, store, turnOn, waiting, waitingStudent, sendDue } = await openPushes();
let staff: ApiClient;
let shopId: string;
beforeAll(async () => {
  staff = (await signedInAdmin(store)).visitor;
  shopId = (await shownShop(staff, undefined, { offersPickup: true })).id;
});

const print = ({ id }: PlacedOrder) => moveTo(staff, id, "printed");

test("of two servers each sends what has waited longest and the other has not taken, or has not sent in time", async () => {
  const { visitor, student, order, browser } = await waitingStudent(shopId);
  await print(order);
  const other = await placeAnother(visitor, student, shopId, "pickup");
  store.clock.advance({ seconds: 1 });
  await print(other);
  store.clock.advance({ minutes: 6 });
  const now = store.clock.now();
  const leaseUntil = new Date(now.getTime() + 30_000).toISOString();
  const claim = { now: now.toISOString(), leaseUntil, limit: 1 };
  expect(await claimDueMessages(store.deps.db, claim)).toMatchObject([
    { payload: expect.stringContaining(order.number) },
  ]);
  await followUp(store, "sendPushes");
  await expect.poll(() => titles(browser)).toEqual([`Order ${other.number} is ready`]);
  await sendDue();
  await expect.poll(() => titles(browser)[1]).toBe(`Order ${order.number} is ready`);
});

test("on a shared computer the browser's subscription passes to who turns it on next, and nobody else can take it", async () => {
  const first = await waitingStudent(shopId);
  const second = await signedInStudent(store);
  const { keys: strangers } = service.newBrowser().subscription;
  const { endpoint, keys: own } = first.browser.subscription;
  for (const keys of [strangers, { ...own, auth: strangers.auth }, { ...own, p256dh: strangers.p256dh }])
    expect((await second.visitor.mutate("push.subscribe", { endpoint, keys })).status).toBe(409);
  expect(await isOn(first.visitor)).toBe(true);

  await print(first.order);
  await turnOn(second.visitor, first.browser);
  expect([await isOn(first.visitor), await isOn(second.visitor)]).toEqual([false, true]);
  expect(await waiting()).toEqual([]);
  expect(first.browser.received).toEqual([]);
});

test("an account has at most ten devices: an eleventh, even several at once, replaces the oldest", async () => {
  const { visitor: oldest, student } = await signedInStudent(store);
  await turnOn(oldest);
  const others = Array.from({ length: MAX_PUSH_DEVICES + 1 }, () => store.visitor());
  for (const other of others) await logIn(other, student);
  store.clock.advance({ seconds: 1 });
  await Promise.all(others.slice(0, -2).map((other) => turnOn(other)));
  expect(await isOn(oldest)).toBe(true);
  store.clock.advance({ seconds: 1 });
  await Promise.all(others.slice(-2).map((other) => turnOn(other)));
  const on = await Promise.all(others.map(isOn));
  expect([await isOn(oldest), on.filter(Boolean).length]).toEqual([false, MAX_PUSH_DEVICES]);
  expect(on.slice(-2)).toEqual([true, true]);
});

test("a browser that turns it off, or subscribes anew, has one subscription at most", async () => {
  const { visitor, order, browser } = await waitingStudent(shopId);
  const renewed = await turnOn(visitor);
  await print(order);
  // Pressed again, it keeps what waits for it.
  await turnOn(visitor, renewed);
  await sendDue();
  await expect.poll(() => titles(renewed)).toHaveLength(1);
  expect(browser.received).toEqual([]);
  expect((await visitor.mutate("push.unsubscribe")).status).toBe(200);
  expect(await isOn(visitor)).toBe(false);
});

test("servers that start at once agree on one key pair, which is not readable in the database", async () => {
  const { db } = store.deps;
  await db.deleteFrom("store_facts").where("name", "=", "push-keys").execute();
  const keyring = createKeyring("a secret of at least 32 characters");
  const pairs = await Promise.all(Array.from({ length: 4 }, () => loadVapidKeys(db, keyring)));
  expect(new Set(pairs.map(({ privateKey }) => privateKey)).size).toBe(1);
  const stored = await db
    .selectFrom("store_facts")
    .select("value")
    .where("name", "=", "push-keys")
    .executeTakeFirstOrThrow();
  expect(stored.value).not.toContain(pairs[0]?.privateKey);
});

test("under a new SECRET there is a new key pair, and the subscriptions of the old one are gone", async () => {
  const { visitor } = await waitingStudent(shopId);
  const { db } = store.deps;
  const before = await loadVapidKeys(db, createKeyring("the first secret of 32 characters"));
  const other = createKeyring("another secret of 32 characters!!");
  const pairs = await Promise.all([loadVapidKeys(db, other), loadVapidKeys(db, other)]);
  expect(pairs[0]).toEqual(pairs[1]);
  expect(pairs[0]?.publicKey).not.toBe(before.publicKey);
  expect(await isOn(visitor)).toBe(false);
});
