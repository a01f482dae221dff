import { beforeAll, expect, test } from "vitest";
import { transact } from "#db/transaction.ts";
import { mailState } from "#server/orders/board/moves.mails.ts";
import { findOrder } from "#server/orders/orders.queries.ts";
import { confirmShopEmail, mailsTo } from "../factories/mails.ts";
import { ADDRESS, orderFor, seenByStudent, uploadPages } from "../factories/orders.ts";
import { moveTo, type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { answerReport, reportError } from "../factories/reprints.ts";
import { codeOf, expectDone, shownShop } from "../factories/shops.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { followUp } from "../setup/follow-up.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let shopId: string;
let staff: ApiClient;
beforeAll(async () => {
  [shopId] = await shopIds(store);
  staff = (await signedInAdmin(store)).visitor;
});

/** The student's mails about this order, in order. */
async function mailsAbout({ number, student }: Pick<PlacedOrder, "number" | "student">) {
  const mails = await mailsTo(store, student.email);
  return mails
    .filter(({ subject }) => subject.includes(number))
    .toSorted((a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind));
}
const KINDS = ["order-student", "order-ready", "order-dispatched", "order-delivered", "order-cancelled"];
const kindsOf = async (order: PlacedOrder) => (await mailsAbout(order)).map(({ kind }) => kind);

async function refuse({ visitor }: PlacedOrder, ...kinds: string[]): Promise<void> {
  for (const kind of kinds) expectDone(await visitor.mutate("accounts.chooseMail", { kind, wanted: false }));
}

test("the student gets one mail each when the order is placed, dispatched and delivered, with a link to it", async () => {
  const { visitor, student } = await signedInStudent(store);
  const request = await orderFor(visitor, { shopId });
  const { body } = await visitor.post("/api/v1/prints/printorder", { ...request, address: ADDRESS });
  const order = { id: body.data._id, number: body.data.orderNumber, student };
  await moveTo(staff, order.id, "delivered");

  const mails = await mailsAbout(order);
  expect(mails.map(({ kind, subject }) => [kind, subject])).toEqual([
    ["order-student", expect.stringContaining(`Order ${order.number}: `)],
    ["order-dispatched", `Order ${order.number} is on its way`],
    ["order-delivered", `Order ${order.number} is delivered`],
  ]);
  for (const { text, html, recipient, reply_to } of mails) {
    expect(text).toContain(`See your order:\n${store.url}/orders/${order.id}\n`);
    expect(html).toContain(`href="${store.url}/orders/${order.id}"`);
    expect(text).toContain("You can choose in Settings which emails you get.");
    expect([recipient, reply_to]).toEqual([student.email, request.orderData.shopEmail]);
    expect(text + html).not.toContain("sig=");
  }
  const [, dispatched, delivered] = mails.map(({ text }) => text);
  expect(dispatched).toContain(`${request.orderData.shopName} has printed your order`);
  const total = `₹${Number(request.orderValue.orderTotal).toFixed(2)}`;
  for (const text of [dispatched, delivered])
    expect(text).toContain(
      `Order: ${order.number}\nShop: ${request.orderData.shopName}\nPrint job: 3 pages × 2 copies\nOrder total: ${total}\n`,
    );
  expect(dispatched).toContain(`How: Pay on delivery\nAmount: ${total}\n`);
  expect(delivered).not.toContain("How: ");
  expect(dispatched).toContain(`Flat number: ${ADDRESS.flatno}`);
  expect(delivered).toContain(`${request.orderData.shopName} tells us that your order is delivered`);
  expect(delivered).toContain("report it within 3 days");
});

test("a pickup is mailed as ready, with its code, and as picked up", async () => {
  const shop = await shownShop(staff, undefined, { offersPickup: true });
  const { visitor, student } = await signedInStudent(store);
  const order = await placeAnother(visitor, student, shop.id, "pickup");
  await moveTo(staff, order.id, "printed");
  const { pickupCode: code } = await seenByStudent(visitor, order.id);
  store.clock.advance({ seconds: 90 });
  await followUp(store, "sendMails");
  const isMailed = async () => (await mailsAbout(order)).every(({ sent_at }) => sent_at !== null);
  await expect.poll(isMailed).toBe(true);
  expectDone(await staff.mutate("board.handOver", { orderId: order.id, proof: { by: "code", code } }));

  const mails = await mailsAbout(order);
  expect(mails.map(({ kind, subject }) => [kind, subject])).toEqual([
    ["order-student", expect.any(String)],
    ["order-ready", `Order ${order.number} is ready`],
    ["order-delivered", `Order ${order.number} is picked up`],
  ]);
  const codeIn = (body: string) => new RegExp(`(\n {4}|>)${code}(\n|<)`).test(body);
  expect(mails.map(({ text, html }) => [codeIn(text), codeIn(html)])).toEqual([
    [false, false],
    [true, true],
    [false, false],
  ]);
  for (const { text } of mails) expect(text).toContain(`See your order:\n${store.url}/orders/${order.id}\n`);
  expect(mails[1]?.text).toContain(`${shop.shopName}: ${shop.shopLocation}`);
  expect(mails[2]?.text).toContain("tells us that you have picked up your order");

  await refuse(order, "dispatched");
  const second = await placeAnother(visitor, student, shop.id, "pickup");
  await moveTo(staff, second.id, "printed");
  expect(await kindsOf(second)).toEqual(["order-student"]);
});

test("a print that is put on hold before it is mailed as ready is mailed once it goes on", async () => {
  const shop = await shownShop(staff, undefined, { offersPickup: true });
  const { visitor, student } = await signedInStudent(store);
  const order = await placeAnother(visitor, student, shop.id, "pickup");
  await moveTo(staff, order.id, "printed");
  const reason = "Page 2 is smeared: shall we print it again?";
  expectDone(await staff.mutate("holds.hold", { orderId: order.id, reason }));
  expect((await kindsOf(order)).toSorted()).toEqual(["order-held", "order-student"]);

  const { hold } = await seenByStudent(visitor, order.id);
  expectDone(await staff.mutate("holds.release", { orderId: order.id, holdId: hold.id }));
  expect((await kindsOf(order)).toSorted()).toEqual(["order-held", "order-ready", "order-student"]);
});

test("a state is mailed once, however often it is set", async () => {
  const order = await placeOrder(store, shopId);
  await moveTo(staff, order.id, "dispatched");
  const again = { orderId: order.id, from: "printed", to: "dispatched" };
  expect(codeOf(await staff.mutate("board.move", again))).toBe("CONFLICT");
  await transact(store.deps.db, async (trx) => {
    const row = await findOrder(trx, { id: order.id });
    if (row) await mailState(trx, store.deps, row, null);
  });
  expect(await kindsOf(order)).toEqual(["order-student", "order-dispatched"]);
});

test("a mail the student has opted out of is not queued, until they opt in again", async () => {
  const first = await placeOrder(store, shopId);
  expect(expectDone(await first.visitor.query("accounts.mailChoices"))).toEqual({
    placed: true,
    dispatched: true,
    delivered: true,
  });
  await refuse(first, "placed", "dispatched", "dispatched");
  expect(expectDone(await first.visitor.query("accounts.mailChoices"))).toEqual({
    placed: false,
    dispatched: false,
    delivered: true,
  });

  const second = await placeAnother(first.visitor, first.student, shopId);
  await moveTo(staff, second.id, "delivered");
  expect(await kindsOf(second)).toEqual(["order-delivered"]);

  expectDone(await first.visitor.mutate("accounts.chooseMail", { kind: "placed", wanted: true }));
  await refuse(first, "delivered");
  const third = await placeAnother(first.visitor, first.student, shopId);
  await moveTo(staff, third.id, "delivered");
  expect(await kindsOf(third)).toEqual(["order-student"]);
});

test("the shop is mailed about a new order whatever the student has opted out of", async () => {
  const first = await placeOrder(store, shopId);
  await refuse(first, "placed");
  const second = await placeAnother(first.visitor, first.student, shopId);
  const shop = await store.deps.readDb
    .selectFrom("outbox")
    .select("kind")
    .where("subject", "like", `%${second.number}%`)
    .execute();
  expect(shop).toEqual([{ kind: "order-shop" }]);
});

test("a cancellation is always mailed, with its reason and without an opt-out", async () => {
  const order = await placeOrder(store, shopId);
  await refuse(order, "placed", "dispatched", "delivered");
  const unknown = await order.visitor.mutate("accounts.chooseMail", { kind: "cancelled", wanted: false });
  expect(codeOf(unknown)).toBe("INVALID_INPUT");

  await staff.mutate("board.cancel", { orderId: order.id, from: "placed", reason: "The toner is empty" });
  const mail = (await mailsAbout(order)).find(({ kind }) => kind === "order-cancelled");
  expect(mail?.text).toContain("The shop writes: The toner is empty");
  expect(mail?.text).toContain(`${store.url}/orders/${order.id}`);
  expect(mail?.text).not.toContain("Settings");
});

test("mails about an order go to the e-mail that its shop has now, and so do answers and a reprint's files", async () => {
  const { id: shopId, email: old } = await shownShop(staff);
  await confirmShopEmail(store, old);
  const order = await placeOrder(store, shopId);
  const email = "new@shops.example";
  const {
    _id,
    staffRatings: ratings,
    ...fields
  } = expectDone(await staff.query("shops.admin.byId", { shopId }));
  expectDone(await staff.mutate("shops.admin.update", { ...fields, shopId, ratings, email }));
  await confirmShopEmail(store, email);
  expectDone(await staff.mutate("holds.hold", { orderId: order.id, reason: "Page 2 is cut off" }));
  const { hold } = await seenByStudent(order.visitor, order.id);
  const answer = { orderId: order.id, holdId: hold.id, answer: "Print it as it is" };
  expectDone(await order.visitor.mutate("holds.answer", answer));
  expectDone(await staff.mutate("holds.release", { orderId: order.id, holdId: hold.id }));
  await moveTo(staff, order.id, "delivered");
  expectDone(await reportError(order));
  expectDone(await answerReport(staff, order.id, true));
  const filesUrl = [await uploadPages(order.visitor, 3)];
  expectDone(await order.visitor.mutate("reprints.order", { orderId: order.id, filesUrl }));

  const kindsTo = async (to: string) => (await mailsTo(store, to)).map(({ kind }) => kind).toSorted();
  expect(await kindsTo(old)).toEqual(["order-shop", "shop-email", "shop-email-confirm"]);
  expect(await kindsTo(email)).toEqual([
    "order-hold-reply",
    "order-shop",
    "reprint-reported",
    "shop-email-confirm",
  ]);
  const held = (await mailsTo(store, order.student.email)).find(({ kind }) => kind === "order-held");
  expect(held?.reply_to).toBe(email);
});

test("the choice of one student does not affect others", async () => {
  const first = await placeOrder(store, shopId);
  const second = await placeOrder(store, shopId);
  await refuse(first, "dispatched");
  await moveTo(staff, second.id, "dispatched");
  expect(await kindsOf(second)).toContain("order-dispatched");
});
