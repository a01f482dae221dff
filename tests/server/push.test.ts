import { createECDH } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { transact } from "#db/transaction.ts";
import { createKeyring } from "#server/lib/crypto.ts";
import { queuePush } from "#server/push/push.service.ts";
import { loadVapidKeys, sendOverHttps } from "#server/push/push.worker.ts";
import { mailsTo } from "../factories/mails.ts";
import { seenByStudent } from "../factories/orders.ts";
import { moveTo, type PlacedOrder, placeAnother } from "../factories/placed-orders.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { logIn, signedInStudent, visitorAs } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { followUp } from "../setup/follow-up.ts";
import { type PushBrowser, startPushService } from "../setup/push-service.ts";
import { TestClock } from "../setup/test-clock.ts";
import { startTestStore, tempStore } from "../setup/test-store.ts";
import { isOn, openPushes, titles } from "./push.fixtures.ts";

const { service, store, turnOn, waiting, waitingStudent, sendDue } = await openPushes({
  PRINT_GRACE_MINUTES: "30",
});
let staff: ApiClient;
let shopId: string;
let shopName: string;
beforeAll(async () => {
  staff = (await signedInAdmin(store)).visitor;
  ({ id: shopId, shopName } = await shownShop(staff, undefined, { offersPickup: true }));
});
beforeEach(() => {
  service.answer = 201;
});

async function print({ id }: PlacedOrder): Promise<void> {
  await moveTo(staff, id, "printed");
}

/** A dispatched order is delivered. */
async function deliver({ id: orderId }: PlacedOrder): Promise<void> {
  const moved = await staff.mutate("board.move", { orderId, from: "dispatched", to: "delivered" });
  expect(moved.status).toBe(200);
}

/** All that the browser was shown. */
const news = ({ received }: PushBrowser) => received.map(({ payload: { title, body } }) => [title, body]);

test("a printed order for pickup is told to the student's browser, encrypted, with nothing but number, state and shop", async () => {
  const { order, browser } = await waitingStudent(shopId);
  await print(order);
  store.clock.advance({ seconds: 90, ms: -1 });
  await followUp(store, "sendPushes");
  expect(browser.received).toEqual([]);
  store.clock.advance({ ms: 1 });
  await followUp(store, "sendPushes");

  await expect.poll(() => browser.received).toHaveLength(1);
  const row = await store.deps.readDb
    .selectFrom("orders")
    .select(["shop_name", "user_id"])
    .where("id", "=", order.id)
    .executeTakeFirstOrThrow();
  const [received] = browser.received;
  expect(received?.payload).toEqual({
    title: `Order ${order.number} is ready`,
    body: `You can pick it up at ${row.shop_name}`,
    path: `/orders/${order.id}`,
    viewer: row.user_id,
  });
  expect(received?.ttl).toBeGreaterThan(11 * 3600);
  expect(received?.ttl).toBeLessThanOrEqual(12 * 3600);
  // A phone that sleeps would get others when it wakes.
  expect(received?.urgency).toBe("high");
  expect(received?.topic).toMatch(/^[\w-]{32}$/);
  expect(received?.vapid).toMatchObject({
    aud: "https://fcm.googleapis.com",
    sub: "mailto:no-reply@print-store.invalid",
    publicKey: store.deps.pushPublicKey,
  });
  await expect.poll(waiting).toEqual([]);
});

test("where the files of a print go within the minute, its news and its mail wait no longer than that", async () => {
  const { config } = store.deps;
  const { printGraceMs } = config;
  onTestFinished(() => {
    config.printGraceMs = printGraceMs;
  });
  const { order, browser, student } = await waitingStudent(shopId);
  config.printGraceMs = 60_000;
  await print(order);
  const mails = await mailsTo(store, student.email);
  store.clock.advance({ minutes: 1 });
  const now = store.clock.now().toISOString();
  expect(mails.find(({ kind }) => kind === "order-ready")?.due_at).toBe(now);
  await followUp(store, "sendPushes");
  await expect.poll(() => titles(browser)).toEqual([`Order ${order.number} is ready`]);
});

test("a store that is reached by https names its address to push services, for their questions", async () => {
  const { config } = store.deps;
  onTestFinished(() => {
    config.publicUrl = null;
  });
  const { order, browser } = await waitingStudent(shopId);
  await print(order);
  config.publicUrl = "https://print.example";
  await sendDue();
  await expect.poll(() => browser.received.map(({ vapid }) => vapid.sub)).toEqual([config.publicUrl]);
});

test("a dispatched order, a cancelled one and the answer about a reprint are told too", async () => {
  const sent = await waitingStudent(shopId, "delivery");
  await print(sent.order);
  expect(await waiting(), "nobody picks it up").toEqual([]);
  const dispatch = { orderId: sent.order.id, from: "printed", to: "dispatched" };
  expect((await staff.mutate("board.move", dispatch)).status).toBe(200);
  const onItsWay = [`Order ${sent.order.number} is on its way`, `Sent by ${shopName}`];
  await expect.poll(() => news(sent.browser)).toEqual([onItsWay]);

  await deliver(sent.order);
  await sent.visitor.mutate("reprints.report", {
    orderId: sent.order.id,
    reason: "Page 2 is blank",
    photos: [],
  });
  const answer = { orderId: sent.order.id, accepted: true, answer: "Sorry" };
  expect((await staff.mutate("reprints.answer", answer)).status).toBe(200);
  await expect
    .poll(() => news(sent.browser)[1])
    .toEqual([
      `Order ${sent.order.number} will be reprinted`,
      `Please upload the files again for ${shopName}`,
    ]);

  const refused = await waitingStudent(shopId, "delivery");
  await moveTo(staff, refused.order.id, "delivered");
  await refused.visitor.mutate("reprints.report", {
    orderId: refused.order.id,
    reason: "Page 2 is blank",
    photos: [],
  });
  await staff.mutate("reprints.answer", { ...answer, orderId: refused.order.id, accepted: false });
  await expect
    .poll(() => news(refused.browser).at(-1))
    .toEqual([`Order ${refused.order.number} will not be reprinted`, `Answered by ${shopName}`]);

  const ended = await waitingStudent(shopId);
  // Its news that it is ready still wait.
  await print(ended.order);
  const reason = "The file is damaged";
  await staff.mutate("board.cancel", { orderId: ended.order.id, from: "printed", reason });
  await expect
    .poll(() => news(ended.browser))
    .toEqual([[`Order ${ended.order.number} is cancelled`, `Cancelled by ${shopName}`]]);
});

test("a print that staff undo at once is never told, and one undone later is told to be not ready", async () => {
  const { order, browser } = await waitingStudent(shopId);
  const undo = { orderId: order.id, from: "printed", to: "printing" };
  await print(order);
  await staff.mutate("board.move", undo);
  await sendDue();
  expect(browser.received).toEqual([]);
  expect(await waiting()).toEqual([]);

  await staff.mutate("board.move", { orderId: order.id, from: "printing", to: "printed" });
  await sendDue();
  await expect.poll(() => titles(browser)).toHaveLength(1);
  await staff.mutate("board.move", undo);
  await expect
    .poll(() => news(browser))
    .toEqual([
      [`Order ${order.number} is ready`, `You can pick it up at ${shopName}`],
      [`Order ${order.number} is not ready yet`, `It has to be printed again at ${shopName}`],
    ]);
});

test("a print that was put on hold is told to be ready once it goes on", async () => {
  const { visitor, order, browser } = await waitingStudent(shopId);
  await print(order);
  await staff.mutate("holds.hold", { orderId: order.id, reason: "The second file does not open" });
  await expect
    .poll(() => news(browser))
    .toEqual([[`Order ${order.number} is waiting for your answer`, `A question from ${shopName}`]]);
  const { hold } = await seenByStudent(visitor, order.id);
  await staff.mutate("holds.release", { orderId: order.id, holdId: hold.id });
  await sendDue();
  await expect.poll(() => titles(browser)[1]).toBe(`Order ${order.number} is ready`);
});

test("news of one order that still wait are not sent early along with those of another", async () => {
  const { visitor, student, order, browser } = await waitingStudent(shopId);
  const other = await placeAnother(visitor, student, shopId, "delivery");
  await print(order);
  await moveTo(staff, other.id, "dispatched");
  await expect.poll(() => titles(browser)).toEqual([`Order ${other.number} is on its way`]);
  await sendDue();
  await expect.poll(() => titles(browser)[1]).toBe(`Order ${order.number} is ready`);
});

test("after logout, the end of all other sessions or a new password a browser gets nothing more", async () => {
  const { visitor, student, order, browser } = await waitingStudent(shopId);
  const phone = await visitorAs(store, student);
  const onPhone = await turnOn(phone);
  const tablet = await visitorAs(store, student);
  const onTablet = await turnOn(tablet);

  await visitor.mutate("accounts.logout");
  await phone.mutate("accounts.endOtherDevices");
  await print(order);
  await sendDue();
  await expect.poll(() => titles(onPhone)).toEqual([`Order ${order.number} is ready`]);
  expect([...browser.received, ...onTablet.received]).toEqual([]);

  const another = await placeAnother(phone, student, shopId, "pickup");
  await logIn(tablet, student);
  await turnOn(tablet, onTablet);
  const password = "a longer horse battery";
  const change = { currentPassword: student.password, password, confirmpassword: password };
  expect((await phone.mutate("accounts.changePassword", change)).status).toBe(200);
  await print(another);
  expect(await waiting()).toEqual([]);
});

test("a message that waits when its session ends, or runs out, is not sent", async () => {
  const { visitor, order } = await waitingStudent(shopId);
  await print(order);
  expect(await waiting()).toHaveLength(1);
  await visitor.mutate("accounts.logout");
  expect(await waiting()).toEqual([]);

  const late = await waitingStudent(shopId);
  await print(late.order);
  const [message] = await waiting();
  await store.deps.db
    .updateTable("sessions")
    .set({ expires_at: store.clock.now().toISOString() })
    .where("user_id", "=", message?.user_id ?? "")
    .execute();
  await sendDue();
  await expect.poll(waiting).toEqual([]);
  expect(late.browser.received).toEqual([]);
});

test("news that come while older ones are on their way are sent after them", async () => {
  const { order, browser } = await waitingStudent(shopId);
  const { promise: answer, resolve: arrive } = Promise.withResolvers<number>();
  service.answer = answer;
  const before = service.requests;
  await print(order);
  await sendDue();
  await expect.poll(() => service.requests).toBe(before + 1);
  // No other server sends it meanwhile: a request is given up after ten seconds.
  const leasedUntil = new Date(store.clock.now().getTime() + 30_000).toISOString();
  expect(await waiting()).toMatchObject([{ leased_until: leasedUntil }]);
  await staff.mutate("board.move", { orderId: order.id, from: "printed", to: "printing" });
  service.answer = 201;
  arrive(201);
  await expect
    .poll(() => titles(browser))
    .toEqual([`Order ${order.number} is ready`, `Order ${order.number} is not ready yet`]);
});

test("news that newer ones replace while they wait for older ones to be sent are left out", async () => {
  const { order, browser } = await waitingStudent(shopId);
  const answer = Promise.withResolvers<number>();
  browser.answer = answer.promise;
  const before = service.requests;
  await print(order);
  await sendDue();
  await expect.poll(() => service.requests).toBe(before + 1);
  for (const [call, input, title] of [
    ["board.move", { from: "printed", to: "printing" }, "is not ready yet"],
    ["board.cancel", { from: "printing", reason: "The printer is broken" }, "is cancelled"],
  ] as const) {
    expectDone(await staff.mutate(call, { orderId: order.id, ...input }));
    const isClaimed = async () => {
      const [message] = await waiting();
      return message?.leased_until && JSON.parse(message.payload).title;
    };
    await expect.poll(isClaimed).toBe(`Order ${order.number} ${title}`);
  }
  answer.resolve(201);
  await expect.poll(waiting).toEqual([]);
  expect(titles(browser)).toEqual([`Order ${order.number} is ready`, `Order ${order.number} is cancelled`]);
});

test("deleting the account deletes its subscriptions, and the download of one's data lists them without their addresses", async () => {
  const { visitor, student } = await signedInStudent(store);
  const browser = await turnOn(visitor);
  const { body } = await visitor.query("privacy.myData");
  expect(JSON.stringify(body)).toContain('"pushService":"fcm.googleapis.com"');
  expect(JSON.stringify(body)).not.toContain(browser.subscription.endpoint);
  const deleted = await visitor.mutate("privacy.deleteAccount", { password: student.password });
  expect(deleted.status).toBe(200);
  const left = await store.deps.readDb
    .selectFrom("push_subscriptions")
    .select("id")
    .where("endpoint", "=", browser.subscription.endpoint)
    .execute();
  expect(left).toEqual([]);
});

test.each([404, 410])(
  "a subscription that the push service no longer knows (%i) is deleted",
  async (answer) => {
    const { visitor, order } = await waitingStudent(shopId);
    service.answer = answer;
    await print(order);
    await sendDue();
    await expect.poll(() => isOn(visitor)).toBe(false);
    expect(await waiting()).toEqual([]);
  },
);

/** Resolves once the only waiting message is due again later. */
async function untilPostponed(attempts: number): Promise<void> {
  await expect.poll(waiting).toMatchObject([{ attempts, leased_until: null }]);
}

test("a push service that fails never holds up a move, is asked again with pauses, and is given up after four tries", async () => {
  const { order, browser } = await waitingStudent(shopId, "delivery");
  service.answer = 503;
  await moveTo(staff, order.id, "dispatched");
  for (const attempts of [1, 2, 3]) {
    await untilPostponed(attempts);
    await followUp(store, "sendPushes");
    await untilPostponed(attempts);
    await sendDue();
  }
  await expect.poll(waiting).toEqual([]);
  expect(browser.received).toEqual([]);
});

/** Lets the ten seconds of a request end only by `limit`, until `timeout` is restored or the test has finished. */
function holdTimeouts() {
  const limit = new AbortController();
  const timeoutAfter = AbortSignal.timeout.bind(AbortSignal);
  const timeout = vi.spyOn(AbortSignal, "timeout");
  timeout.mockImplementation((ms) => (ms === 10_000 ? limit.signal : timeoutAfter(ms)));
  onTestFinished(() => timeout.mockRestore());
  return { limit, timeout };
}

test("a push service that does not answer is given up after ten seconds, and asked again", async () => {
  const { limit, timeout } = holdTimeouts();
  const { order, browser } = await waitingStudent(shopId, "delivery");
  service.answer = "silent";
  const before = service.requests;
  await moveTo(staff, order.id, "dispatched");
  await expect.poll(() => service.requests).toBe(before + 1);
  limit.abort();
  await untilPostponed(1);
  timeout.mockRestore();
  service.answer = 201;
  await sendDue();
  await expect.poll(() => titles(browser)).toEqual([`Order ${order.number} is on its way`]);
});

test("each of a student's devices gets the news once, however the push service answers for the others", async () => {
  const { student, order, browser } = await waitingStudent(shopId, "delivery");
  const another = async () => {
    const visitor = await visitorAs(store, student);
    return turnOn(visitor);
  };
  const [failing, slow] = [await another(), await another()];
  const [failure, success] = [Promise.withResolvers<number>(), Promise.withResolvers<number>()];
  failing.answer = failure.promise;
  slow.answer = success.promise;
  await moveTo(staff, order.id, "dispatched");
  const onItsWay = [`Order ${order.number} is on its way`];
  await expect.poll(() => titles(browser)).toEqual(onItsWay);
  await expect.poll(waiting).toHaveLength(2);
  failure.resolve(503);
  await expect.poll(waiting).toContainEqual(expect.objectContaining({ leased_until: null }));
  success.resolve(201);
  await untilPostponed(1);

  failing.answer = 201;
  await sendDue();
  await expect.poll(waiting).toEqual([]);
  expect([browser, failing, slow].map(titles)).toEqual([onItsWay, onItsWay, onItsWay]);
});

test("news for other students do not wait for a push service that is slow to answer for one", async () => {
  holdTimeouts();
  const [slow, other] = [await waitingStudent(shopId, "delivery"), await waitingStudent(shopId, "delivery")];
  const answer = Promise.withResolvers<number>();
  slow.browser.answer = answer.promise;
  const before = service.requests;
  await moveTo(staff, slow.order.id, "dispatched");
  await expect.poll(() => service.requests).toBe(before + 1);
  await moveTo(staff, other.order.id, "dispatched");
  await expect.poll(() => titles(other.browser)).toEqual([`Order ${other.order.number} is on its way`]);
  answer.resolve(201);
  await expect.poll(waiting).toEqual([]);
  expect(titles(slow.browser)).toEqual([`Order ${slow.order.number} is on its way`]);
});

test("news that replace others that failed have four tries of their own", async () => {
  const { visitor, order, browser } = await waitingStudent(shopId);
  const hold = (reason: string) => staff.mutate("holds.hold", { orderId: order.id, reason });
  service.answer = 503;
  await hold("Page 2 is cut off");
  for (const attempts of [1, 2]) {
    await untilPostponed(attempts);
    await sendDue();
  }
  await untilPostponed(3);
  const { hold: first } = await seenByStudent(visitor, order.id);
  await visitor.mutate("holds.answer", { orderId: order.id, holdId: first.id, answer: "Print it" });
  await hold("And page 3?");
  await untilPostponed(1);
  service.answer = 201;
  await sendDue();
  await expect.poll(() => browser.received).toHaveLength(1);
});

test("a message of which the push service has too many (429) comes later", async () => {
  const { order, browser } = await waitingStudent(shopId, "delivery");
  service.answer = 429;
  await moveTo(staff, order.id, "dispatched");
  await untilPostponed(1);
  service.answer = 201;
  await sendDue();
  await expect.poll(() => titles(browser)).toEqual([`Order ${order.number} is on its way`]);
  // What is left of its twelve hours.
  expect(browser.received[0]?.ttl).toBe(12 * 3600 - 6 * 60);
});

test("a redirect of a push service is not followed: it could lead to a server next to the store", async () => {
  let asked = 0;
  const inside = createServer((_request, response) => {
    asked++;
    response.end();
  }).listen(0, "127.0.0.1");
  await once(inside, "listening");
  const { port } = inside.address() as AddressInfo;
  const outside = createServer((_request, response) => {
    response.writeHead(307, { Location: `http://127.0.0.1:${port}/` }).end();
  }).listen(0, "127.0.0.1");
  await once(outside, "listening");
  const endpoint = `http://127.0.0.1:${(outside.address() as AddressInfo).port}/`;
  const body = new Uint8Array([1]);
  expect(await sendOverHttps({ endpoint, headers: {}, body }, AbortSignal.timeout(10_000))).toBe(307);
  expect(asked).toBe(0);
  inside.close();
  outside.close();
});

test("a message that the push service refuses for good is given up at once, and the browser stays subscribed", async () => {
  const { visitor, order } = await waitingStudent(shopId, "delivery");
  service.answer = 413;
  const before = service.requests;
  await moveTo(staff, order.id, "dispatched");
  await expect.poll(() => service.requests).toBe(before + 1);
  await expect.poll(waiting).toEqual([]);
  expect(await isOn(visitor)).toBe(true);
});

test("a push service that stays silent holds up no move, and the news comes within five seconds after the next start", async () => {
  const dead = await startPushService();
  const clock = new TestClock();
  const dataDir = await mkdtemp(join(tmpdir(), "print-store-"));
  onTestFinished(() => rm(dataDir, { recursive: true, force: true }));
  const start = () => startTestStore({ DATA_DIR: dataDir }, undefined, clock, { sendPush: dead.send });
  dead.answer = "silent";
  const first = await start();
  const admin = (await signedInAdmin(first)).visitor;
  const { visitor, student } = await signedInStudent(first);
  const order = await placeAnother(visitor, student, (await shownShop(admin)).id);
  const browser = dead.newBrowser();
  await visitor.mutate("push.subscribe", browser.subscription);
  await moveTo(admin, order.id, "dispatched");
  await expect.poll(() => dead.requests).toBe(1);
  await first.stop();

  dead.answer = 201;
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const now = vi.spyOn(clock, "now");
  const second = await start();
  clock.advance({ minutes: 1 });
  // The first that the worker does is to ask for the time.
  now.mockClear();
  vi.advanceTimersByTime(4999);
  expect(now).not.toHaveBeenCalled();
  expect(dead.requests).toBe(1);
  vi.advanceTimersByTime(1);
  expect(now).toHaveBeenCalled();
  await expect.poll(() => titles(browser)).toEqual([`Order ${order.number} is on its way`]);
  await second.stop();
  await dead.stop();
});

test("what is more than one server sends at once is sent as soon as others are", async () => {
  // The worker looks for more by itself every five seconds.
  const interval = vi.spyOn(globalThis, "setInterval").mockReturnValue(setTimeout(() => {}));
  onTestFinished(() => interval.mockRestore());
  const busy = await tempStore({}, undefined, undefined, { sendPush: service.send });
  const { deps } = busy;
  const { visitor } = await signedInStudent(busy);
  const browser = await turnOn(visitor);
  const { _id: userId } = expectDone(await visitor.query("accounts.me"));
  await transact(deps.db, async (trx) => {
    for (const about of Array.from({ length: 21 }, (_, index) => `order ${index}`))
      await queuePush(trx, deps, { about, userId, title: about, body: "", path: "/orders" });
  });
  await expect.poll(() => browser.received).toHaveLength(21);
});

test("news that a device has not got yet are withdrawn once they are no longer true", async () => {
  const { order, browser } = await waitingStudent(shopId, "delivery");
  service.answer = 503;
  await moveTo(staff, order.id, "dispatched");
  await untilPostponed(1);
  service.answer = 201;
  await deliver(order);
  await sendDue();
  expect(await waiting()).toEqual([]);
  expect(browser.received).toEqual([]);
});

test("a device that was off for twelve hours gets no old news", async () => {
  const { order, browser } = await waitingStudent(shopId);
  await print(order);
  store.clock.advance({ hours: 13 });
  // Sessions of staff have ended by now.
  staff = (await signedInAdmin(store)).visitor;
  await followUp(store, "sendPushes");
  await expect.poll(waiting).toEqual([]);
  expect(browser.received).toEqual([]);
});

test.each([
  ["plain http", "http://fcm.googleapis.com/fcm/send/1"],
  ["another host", "https://push.example/fcm/send/1"],
  ["a host that ends like a push service", "https://evilpush.apple.com.example/1"],
  ["a host whose name contains one", "https://fcm.googleapis.com.evil.example/1"],
  ["an address of this network", "https://127.0.0.1/1"],
  ["another port", "https://fcm.googleapis.com:8443/fcm/send/1"],
  ["credentials", "https://user:secret@fcm.googleapis.com/fcm/send/1"],
  ["a trick with a backslash", "https://fcm.googleapis.com\\@evil.example/1"],
  ["no URL", "fcm.googleapis.com"],
])("an endpoint with %s is refused", async (_what, endpoint) => {
  const { visitor } = await signedInStudent(store);
  const { keys } = service.newBrowser().subscription;
  expect((await visitor.mutate("push.subscribe", { endpoint, keys })).status).toBe(422);
  expect(await isOn(visitor)).toBe(false);
});

test.each(["updates.push.services.mozilla.com", "wns2-pn1p.notify.windows.com", "web.push.apple.com"])(
  "an endpoint at %s is accepted",
  async (host) => {
    const { visitor } = await signedInStudent(store);
    await turnOn(visitor, service.newBrowser(host));
    expect(await isOn(visitor)).toBe(true);
  },
);

test("a key that is no point of the curve is refused", async () => {
  const { visitor } = await signedInStudent(store);
  const { endpoint, keys } = service.newBrowser().subscription;
  const p256dh = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 7)]).toString("base64url");
  const { status } = await visitor.mutate("push.subscribe", { endpoint, keys: { ...keys, p256dh } });
  expect(status).toBe(422);
});

test("a private key that begins with zeros is stored with them, because push services expect all of its bytes", async () => {
  const { db } = store.deps;
  await db.deleteFrom("store_facts").where("name", "=", "push-keys").execute();
  const short = "ab".repeat(31);
  const made = vi.spyOn(Object.getPrototypeOf(createECDH("prime256v1")), "getPrivateKey");
  onTestFinished(() => made.mockRestore());
  made.mockReturnValueOnce(short);
  const { privateKey } = await loadVapidKeys(db, createKeyring("a secret of at least 32 characters"));
  expect(Buffer.from(privateKey, "base64url").toString("hex")).toBe(`00${short}`);
});
