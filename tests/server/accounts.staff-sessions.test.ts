import { beforeAll, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { USER_HEADER } from "#shared/calls.ts";
import { seenByStaff } from "../factories/orders.ts";
import { placeOrder } from "../factories/placed-orders.ts";
import { codeOf, expectDone } from "../factories/shops.ts";
import {
  type StaffPerson,
  shopIds,
  signedInAdmin,
  signedInCounter,
  signedInOwner,
} from "../factories/staff.ts";
import { signedInStudent, visitorAs } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { LiveStream } from "../setup/live-stream.ts";
import { startPushService } from "../setup/push-service.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let shopId: string;
beforeAll(async () => {
  [shopId] = await shopIds(store);
});
// Lucia reads the real clock: a month of all tests together would be the end of each new session.
beforeEach(() => store.clock.set(new Date()));

const STAFF: [role: string, logIn: () => Promise<StaffPerson>][] = [
  ["counter staff", () => signedInCounter(store, [shopId])],
  ["an owner", () => signedInOwner(store, [shopId])],
  ["an admin", () => signedInAdmin(store)],
];
const ask = async (visitor: ApiClient) => (await visitor.get("/api/v1/users/getuser")).status;
const MINUTE = 60;
const HALF_A_DAY = 12 * 60 * MINUTE;

/** Logs in again, because the factory's session was opened as a student. */
async function freshly(logIn: () => Promise<StaffPerson>) {
  const { person } = await logIn();
  const visitor = store.visitor();
  const login = await visitor.post("/api/v1/users/login", person);
  return { visitor, email: person.email, expires: cookieEnd(login.headers) };
}

/** When the session cookie of a response expires, in ms. */
function cookieEnd(headers: Headers): number {
  const expires = /session=\w+;.*Expires=([^;]+)/i.exec(headers.getSetCookie().join("\n"))?.[1];
  return expires ? Date.parse(expires) : Number.NaN;
}
const inSeconds = (ms: number) => Math.floor(ms / 1000);

describe.each(STAFF)("the session of %s", (_role, logIn) => {
  test("ends after 12 hours without use", async () => {
    const used = await freshly(logIn);
    const { visitor: unused } = await freshly(logIn);
    store.clock.advance({ seconds: HALF_A_DAY - 1 });
    expect(await ask(used.visitor)).toBe(200);
    store.clock.advance({ seconds: 1 });
    expect(await ask(unused)).toBe(401);
    expect(await ask(used.visitor)).toBe(200);
  });

  test("ends an hour after its last use on a shared computer", async () => {
    const { person } = await logIn();
    const visitor = store.visitor();
    await visitor.post("/api/v1/users/login", { ...person, isSharedComputer: true });
    expect(await ask(visitor)).toBe(200);
    store.clock.advance({ hours: 1 });
    expect(await ask(visitor)).toBe(401);
  });

  test("ends 7 days after login, however often it is used", async () => {
    const { visitor } = await freshly(logIn);
    for (let quarter = 1; quarter < 4 * 7; quarter++) {
      store.clock.advance({ hours: 6 });
      expect(await ask(visitor)).toBe(200);
    }
    store.clock.advance({ seconds: HALF_A_DAY / 2 - 1 });
    expect(await ask(visitor)).toBe(200);
    store.clock.advance({ seconds: 1 });
    expect(await ask(visitor)).toBe(401);
  });

  test("has its cookie set by the login alone: sent again with another answer, it could replace that of a confirmation", async () => {
    const { visitor, expires } = await freshly(logIn);
    expect(inSeconds(expires)).toBe(inSeconds(store.clock.now().getTime()) + 7 * 24 * 60 * MINUTE);
    store.clock.advance({ hours: 1 });
    const { status, headers } = await visitor.get("/api/v1/users/getuser");
    expect([status, headers.getSetCookie()]).toEqual([200, []]);
  });
});

test("a session of staff that is over is deleted with the push subscription of its browser, however much it is used; a student's goes on", async () => {
  const service = await startPushService();
  onTestFinished(() => service.stop());
  const { visitor: owner } = await freshly(() => signedInOwner(store, [shopId]));
  const { visitor: busy, email: busyEmail } = await freshly(() => signedInOwner(store, [shopId]));
  const { visitor: student, student: person } = await signedInStudent(store);
  for (const visitor of [owner, busy, student])
    expectDone(await visitor.mutate("push.subscribe", service.newBrowser().subscription));
  store.clock.advance({ hours: 11 });
  expect(await ask(busy)).toBe(200);
  store.clock.advance({ hours: 1 });
  await store.deps.sessions.deleteExpired();
  const left = async () => {
    const found = store.deps.readDb
      .selectFrom("push_subscriptions")
      .innerJoin("users", "users.id", "push_subscriptions.user_id")
      .select("users.email")
      .orderBy("users.email");
    return (await found.execute()).map(({ email }) => email);
  };
  expect(await left()).toEqual([busyEmail, person.email].toSorted());
  for (let hours = 12; hours < 7 * 24; hours += 6) {
    expect(await ask(busy)).toBe(200);
    store.clock.advance({ hours: 6 });
  }
  await store.deps.sessions.deleteExpired();
  expect(await left()).toEqual([person.email]);
});

test("an open live stream does not extend a staff session", async () => {
  const order = await placeOrder(store, shopId);
  const { visitor } = await freshly(() => signedInOwner(store, [shopId]));
  const stream = await LiveStream.open(visitor);
  await stream.until(1);
  store.clock.advance({ hours: 11, minutes: 59 });
  const { visitor: colleague } = await freshly(() => signedInAdmin(store));
  await colleague.mutate("board.note", { orderId: order.id, body: "Ask for the cover" });
  await stream.until(2);
  stream.close();

  store.clock.advance({ minutes: 1 });
  expect(await ask(visitor)).toBe(401);
});

test("an unattended visible console does not extend a staff session", async () => {
  const { visitor } = await freshly(() => signedInOwner(store, [shopId]));
  const { visitor: attended } = await freshly(() => signedInOwner(store, [shopId]));
  const input = encodeURIComponent(JSON.stringify({ shopId }));
  const lookAgain = () =>
    visitor.send("GET", `/api/trpc/prices.get?input=${input}`, undefined, { "X-Background": "1" });
  for (let hour = 1; hour < 12; hour++) {
    store.clock.advance({ hours: 1 });
    expect((await lookAgain()).status).toBe(200);
    const stream = await LiveStream.open(visitor);
    await stream.until(1);
    stream.close();
    expect((await attended.query("prices.get", { shopId })).status).toBe(200);
  }
  store.clock.advance({ hours: 1 });
  expect((await lookAgain()).status).toBe(401);
  expect(await ask(attended)).toBe(200);
});

test("an ended staff session is not listed as a device", async () => {
  const { person } = await signedInOwner(store, [shopId]);
  for (let time = 0; time < 2; time++) await visitorAs(store, person);
  store.clock.advance({ hours: 12 });
  const visitor = await visitorAs(store, person);
  const devices = (await visitor.query("accounts.devices")).body.result.data;
  expect(devices).toMatchObject([{ isThis: true }]);
});

test("a student's session still lasts 30 days", async () => {
  const { visitor } = await signedInStudent(store);
  store.clock.advance({ days: 8 });
  expect(await ask(visitor)).toBe(200);
});

test("a page that says whose it is acts for nobody else, whoever is logged in", async () => {
  const [owner, other] = [await signedInOwner(store, [shopId]), await signedInOwner(store, [shopId])];
  const { visitor, userId } = owner;
  const asOwner = { [USER_HEADER]: userId };
  const { id: orderId } = await placeOrder(store, shopId);
  const note = (by: ApiClient) => by.post("/api/trpc/board.note", { orderId, body: "Call first" }, asOwner);
  expect([(await note(visitor)).status, codeOf(await note(other.visitor))]).toEqual([200, "UNAUTHENTICATED"]);
  expect(codeOf(await note(store.visitor()))).toBe("UNAUTHENTICATED");
  const pack = `/admin/orders/${orderId}/pack.pdf`;
  expect((await other.visitor.send("GET", pack, undefined, asOwner)).status).toBe(401);
  const { notes } = await seenByStaff(visitor, orderId);
  expect(notes).toHaveLength(1);
});
