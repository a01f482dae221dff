import { randomUUID } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { formatPaise } from "#shared/money.ts";
import { seenByStaff, seenByStudent } from "../factories/orders.ts";
import { payInFull, refundCash, reverseLast, takeCash } from "../factories/payments.ts";
import { moveTo, type PlacedOrder, placeAnother } from "../factories/placed-orders.ts";
import { codeOf, expectDone, shownShop } from "../factories/shops.ts";
import {
  logInAgain,
  type StaffPerson,
  shopIds,
  signedInAdmin,
  signedInCounter,
  signedInOwner,
} from "../factories/staff.ts";
import { type Student, signedInStudent } from "../factories/students.ts";
import { refusalsOf, statusesOf, together } from "../factories/together.ts";
import type { ApiAnswer, ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let owner: StaffPerson;
let counter: StaffPerson;
let stranger: StaffPerson;
let shopId: string;
let visitor: ApiClient;
let student: Student;
beforeAll(async () => {
  const [otherShopId] = await shopIds(store);
  const admin = await signedInAdmin(store);
  shopId = (await shownShop(admin.visitor, undefined, { upiId: "lamp.post@okbank", offersPickup: true })).id;
  owner = await signedInOwner(store, [shopId]);
  counter = await signedInCounter(store, [shopId]);
  stranger = await signedInOwner(store, [otherShopId]);
  ({ visitor, student } = await signedInStudent(store));
});
// A refund or reversal needs a proof from the last ten minutes, and some tests wait longer.
beforeEach(() => logInAgain(owner, counter));

const newOrder = (fulfilment?: "pickup") => placeAnother(visitor, student, shopId, fulfilment);
const pay = (staff: StaffPerson, { id }: PlacedOrder) => payInFull(staff.visitor, id);
const take = (staff: StaffPerson, { id }: PlacedOrder, amountPaise: number, key: string = randomUUID()) =>
  staff.visitor.mutate("payments.take", { orderId: id, method: "upi", amountPaise, key });
const reverse = (staff: StaffPerson, { id }: PlacedOrder) => reverseLast(staff.visitor, id, owner.visitor);
const cancel = (staff: StaffPerson, { id }: PlacedOrder) =>
  staff.visitor.mutate("board.cancel", { orderId: id, from: "placed", reason: "The printer broke" });
const messageOf = ({ body }: ApiAnswer): string => body.error.message;
const seen = async ({ id }: PlacedOrder) => seenByStaff(owner.visitor, id);

test("a payment is a row with amount, method and name, and a reversal names the row that was wrong", async () => {
  const order = await newOrder();
  const { totalPaise } = await seenByStudent(visitor, order.id);
  expect(await seenByStudent(visitor, order.id)).toMatchObject({
    paidAt: null,
    paidPaise: 0,
    upiId: "lamp.post@okbank",
  });

  store.clock.advance({ minutes: 5 });
  const paidAt = store.deps.now().toISOString();
  expectDone(await take(counter, order, totalPaise));
  expect(await seenByStudent(visitor, order.id)).toMatchObject({ paidAt, paidPaise: totalPaise });
  store.clock.advance({ minutes: 4 });
  expectDone(await reverse(owner, order));

  expect(await seenByStudent(visitor, order.id)).toMatchObject({
    paidAt: null,
    paidPaise: 0,
    refundedPaise: 0,
  });
  const { payments } = await seen(order);
  expect(payments).toMatchObject([
    {
      kind: "payment",
      method: "upi",
      amountPaise: totalPaise,
      at: paidAt,
      by: counter.person.fullName,
      approvedBy: null,
      reversedBy: payments[1].id,
    },
    {
      kind: "reversal",
      method: "upi",
      amountPaise: -totalPaise,
      at: store.deps.now().toISOString(),
      reason: "Entered by mistake",
      by: owner.person.fullName,
      approvedBy: owner.person.fullName,
      reverses: payments[0].id,
    },
  ]);
  const live = await store.deps.readDb
    .selectFrom("live_events")
    .select("kind")
    .where("order_id", "=", order.id)
    .orderBy("seq")
    .execute();
  expect(live.map(({ kind }) => kind)).toEqual(["placed", "paid", "paid"]);
  const audit = await store.deps.readDb
    .selectFrom("audit_log")
    .select(["action", "after", "by_name", "shop_id"])
    .where("subject_id", "=", order.id)
    .orderBy("created_at")
    .execute();
  const amount = formatPaise(totalPaise);
  const reversal = { method: "upi", amount: `-${amount}`, reason: "Entered by mistake" };
  const [byCounter, byOwner] = [counter, owner].map(({ person }) => ({
    by_name: person.fullName,
    shop_id: shopId,
  }));
  expect(audit.map((row) => ({ ...row, after: JSON.parse(row.after ?? "") }))).toEqual([
    { ...byCounter, action: "order.payment", after: { method: "upi", amount } },
    { ...byOwner, action: "order.reversal", after: reversal },
  ]);
});

test("part payments sum up to the total and not a paisa more", async () => {
  const order = await newOrder();
  const { totalPaise } = await seen(order);
  expectDone(await take(counter, order, 1));
  expect(await seen(order)).toMatchObject({ paidPaise: 1, paidAt: null });
  const tooMuch = await take(counter, order, totalPaise);
  expect([codeOf(tooMuch), messageOf(tooMuch)]).toEqual([
    "CONFLICT",
    `Only ${formatPaise(totalPaise - 1)} is left to pay for order ${order.number}`,
  ]);
  expectDone(await take(owner, order, totalPaise - 1));
  expect(await seen(order)).toMatchObject({
    paidPaise: totalPaise,
    paidAt: expect.any(String),
    payments: [{ amountPaise: 1 }, { amountPaise: totalPaise - 1 }],
  });
  expect(messageOf(await take(counter, order, 1))).toBe(
    `${owner.person.fullName} has already taken the payment for order ${order.number}`,
  );
});

test("of two people who take the whole amount at the same moment one is told who was first", async () => {
  const order = await newOrder();
  const { totalPaise } = await seen(order);
  const answers = await Promise.all([take(owner, order, totalPaise), take(counter, order, totalPaise)]);

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const late = answers.find(({ status }) => status === 409);
  const first = late === answers[0] ? counter : owner;
  expect(late && messageOf(late)).toBe(
    `${first.person.fullName} has already taken the payment for order ${order.number}`,
  );
  expect((await seen(order)).payments).toMatchObject([
    { amountPaise: totalPaise, by: first.person.fullName },
  ]);
});

test("twenty part payments at once never take more than the total", async () => {
  const order = await newOrder();
  const { totalPaise } = await seen(order);
  const third = Math.floor(totalPaise / 3);
  const answers = await together(20, (index) => take(index % 2 ? owner : counter, order, third));
  expect(statusesOf(answers)).toEqual({ 200: 3, 409: 17 });
  expect(refusalsOf(answers)).toEqual([expect.stringContaining("has already taken the payment")]);
  const { paidPaise, payments } = await seen(order);
  expect([paidPaise, payments.length]).toEqual([3 * third, 3]);
});

test("a payment pressed twice, also at the same moment, is recorded once; another amount or method with its key is refused", async () => {
  const order = await newOrder();
  const press = () => take(counter, order, 100, "the-same-press");
  expect(statusesOf(await together(5, press))).toEqual({ 200: 5 });
  expectDone(await press());
  expect(codeOf(await take(counter, order, 200, "the-same-press"))).toBe("CONFLICT");
  const inCash = { orderId: order.id, method: "cash", amountPaise: 100, key: "the-same-press" };
  expect(codeOf(await counter.visitor.mutate("payments.take", inCash))).toBe("CONFLICT");
  expect(await seen(order)).toMatchObject({ paidPaise: 100, payments: [{ amountPaise: 100 }] });
});

test.each([0, -100, 0.5, 2 ** 31, Number.MAX_SAFE_INTEGER, "100", null])(
  "an amount of %j paise is refused",
  async (amountPaise) => {
    const order = await newOrder();
    const key = "odd-amount";
    const fields = { orderId: order.id, method: "cash", amountPaise, key };
    expect(codeOf(await owner.visitor.mutate("payments.take", fields))).toBe("INVALID_INPUT");
    const refund = { ...fields, reason: "Blank page" };
    expect(codeOf(await owner.visitor.mutate("payments.refund", refund))).toBe("INVALID_INPUT");
    expect((await seen(order)).payments).toEqual([]);
  },
);

test("a refund is bounded by what was paid, lowers the price, and keeps its reason and who approved it", async () => {
  const order = await newOrder();
  const { totalPaise } = await seen(order);
  expect(messageOf(await refundCash(owner.visitor, order.id, 1))).toBe(
    `Nothing is left to refund for order ${order.number}`,
  );
  expectDone(await pay(counter, order));
  expect(messageOf(await refundCash(owner.visitor, order.id, totalPaise + 1))).toBe(
    `At most ${formatPaise(totalPaise)} can be refunded for order ${order.number}`,
  );
  expectDone(await refundCash(owner.visitor, order.id, 200));
  expect(await seen(order)).toMatchObject({
    paidPaise: totalPaise - 200,
    refundedPaise: 200,
    creditedPaise: 200,
    paidAt: expect.any(String),
    payments: [
      { kind: "payment" },
      { kind: "refund", amountPaise: -200, reason: "Page 3 was blank", approvedBy: owner.person.fullName },
    ],
  });
  const audit = await store.deps.readDb
    .selectFrom("audit_log")
    .select(["action", "after"])
    .where("subject_id", "=", order.id)
    .orderBy("id")
    .execute();
  expect(audit.map(({ action }) => action)).toEqual(["order.payment", "order.refund"]);
  expect(JSON.parse(audit[1]?.after ?? "")).toEqual({
    method: "cash",
    amount: "-₹2.00",
    reason: "Page 3 was blank",
  });
  expect(messageOf(await take(counter, order, 200))).toContain("has already taken the payment");
  const both = await together(2, () => refundCash(owner.visitor, order.id, totalPaise - 200));
  expect(statusesOf(both)).toEqual({ 200: 1, 409: 1 });
  expect(refusalsOf(both)).toEqual([expect.stringContaining("Nothing is left to refund")]);
  expect(await seen(order)).toMatchObject({ paidPaise: 0, refundedPaise: totalPaise, paidAt: null });
});

test("an order stays paid since the day it was paid, whatever happens to others and however much is given back later", async () => {
  const [order, other, unpaid] = [await newOrder(), await newOrder(), await newOrder()];
  expectDone(await pay(counter, order));
  const paidAt = store.deps.now().toISOString();
  store.clock.advance({ minutes: 2 });
  expectDone(await pay(counter, other));
  expectDone(await refundCash(owner.visitor, order.id, 100));
  expect([(await seen(order)).paidAt, (await seen(unpaid)).paidAt]).toEqual([paidAt, null]);
});

test("a key counts for its order: another order's payment with the same key is recorded too", async () => {
  const [order, other] = [await newOrder(), await newOrder()];
  for (const each of [order, other]) expectDone(await take(counter, each, 100, "key-of-two-orders"));
  expect([(await seen(order)).paidPaise, (await seen(other)).paidPaise]).toEqual([100, 100]);
});

test("a reversal cannot be reversed, nor a payment twice, nor one that was refunded meanwhile", async () => {
  const order = await newOrder();
  const { totalPaise } = await seen(order);
  expectDone(await pay(owner, order));
  const [payment] = (await seen(order)).payments;
  const reverseRow = (paymentId: string) =>
    owner.visitor.mutate("payments.reverse", {
      orderId: order.id,
      paymentId,
      reason: "Wrong order",
      key: randomUUID(),
    });
  expectDone(await refundCash(owner.visitor, order.id, 100));
  expect(messageOf(await reverseRow(payment.id))).toBe(
    `A part of this payment has been refunded: only ${formatPaise(totalPaise - 100)} of order ${order.number} is left. Reverse the refund first`,
  );
  const refund = (await seen(order)).payments[1];
  expectDone(await reverseRow(refund.id));
  expect(await seen(order)).toMatchObject({
    paidPaise: totalPaise,
    refundedPaise: 0,
    creditedPaise: 0,
    paidAt: expect.any(String),
  });
  const both = await together(2, () => reverseRow(payment.id));
  expect(statusesOf(both)).toEqual({ 200: 1, 409: 1 });
  expect(refusalsOf(both)).toEqual([`${owner.person.fullName} has already reversed this`]);
  expect(messageOf(await reverseRow(payment.id))).toBe(`${owner.person.fullName} has already reversed this`);
  const reversal = (await seen(order)).payments.at(-1);
  expect(messageOf(await reverseRow(reversal.id))).toBe(
    "A reversal cannot be reversed. Enter the payment or refund again",
  );
  expect(await seen(order)).toMatchObject({ paidPaise: 0, refundedPaise: 0, paidAt: null });
  expectDone(await pay(counter, order));
});

test("the key of a reversal serves for no other payment, which it would leave as it is", async () => {
  const order = await newOrder();
  for (const key of ["key-of-one-rupee", "key-of-another"]) expectDone(await take(counter, order, 100, key));
  const { payments } = await seen(order);
  const [first, second] = payments.map(({ id }: { id: string }) => ({
    orderId: order.id,
    paymentId: id,
    reason: "Entered by mistake",
    key: "key-of-one-press",
  }));
  expectDone(await owner.visitor.mutate("payments.reverse", first));
  expectDone(await owner.visitor.mutate("payments.reverse", first));
  expect(codeOf(await owner.visitor.mutate("payments.reverse", second))).toBe("CONFLICT");
  expect((await seen(order)).paidPaise).toBe(100);
});

test("rows of another order cannot be reversed through this one", async () => {
  const [order, other] = [await newOrder(), await newOrder()];
  expectDone(await pay(owner, other));
  const [payment] = (await seen(other)).payments;
  const input = { orderId: order.id, paymentId: payment.id, reason: "Mine", key: "foreign-row" };
  expect(codeOf(await owner.visitor.mutate("payments.reverse", input))).toBe("NOT_FOUND");
  expect((await seen(other)).payments).toHaveLength(1);
});

test("a hand-over takes code and money together or neither", async () => {
  const order = await newOrder("pickup");
  await moveTo(owner.visitor, order.id, "printed");
  const { pickupCode, totalPaise } = await seenByStudent(visitor, order.id);
  const wrong = pickupCode === "0000" ? "0001" : "0000";
  const handOver = (code: string, amountPaise: number) =>
    counter.visitor.mutate("board.handOver", {
      orderId: order.id,
      proof: { by: "code", code },
      payment: { method: "cash", amountPaise, key: randomUUID() },
    });
  expect(codeOf(await handOver(wrong, totalPaise))).toBe("INVALID_INPUT");
  expect(codeOf(await handOver(pickupCode, totalPaise + 1))).toBe("CONFLICT");
  expect(await seen(order)).toMatchObject({ state: "printed", paidPaise: 0, payments: [] });
  const answers = await together(3, () => handOver(pickupCode, totalPaise));
  expect(statusesOf(answers)).toEqual({ 200: 1, 409: 2 });
  expect(await seen(order)).toMatchObject({
    state: "delivered",
    paidPaise: totalPaise,
    payments: [{ by: counter.person.fullName }],
  });
});

test("the lists show the payment, which stays in every state", async () => {
  const order = await newOrder();
  const { totalPaise, upiId } = await seen(order);
  expect(upiId).toMatch(/@/);
  expectDone(await pay(owner, order));
  await moveTo(owner.visitor, order.id, "delivered");
  const { rows } = expectDone(await owner.visitor.query("board.page", { state: "all" }));
  const row = rows.find(({ id }: { id: string }) => id === order.id);
  expect(row).toMatchObject({ fulfilment: "delivery", upiId, paidPaise: totalPaise });
});

test("a cancelled order takes no payment, but what was paid for it can be given back", async () => {
  const [unpaid, paid] = [await newOrder(), await newOrder()];
  expectDone(await pay(owner, paid));
  for (const order of [unpaid, paid]) expectDone(await cancel(owner, order));

  const refused = await take(owner, unpaid, 100);
  expect([codeOf(refused), messageOf(refused)]).toEqual([
    "CONFLICT",
    `Order ${unpaid.number} is cancelled: there is nothing to pay`,
  ]);
  const { totalPaise, paidPaise } = await seen(paid);
  expect(paidPaise).toBe(totalPaise);
  expectDone(await refundCash(owner.visitor, paid.id, totalPaise));
  expect(await seen(paid)).toMatchObject({ paidPaise: 0, refundedPaise: totalPaise });
  expectDone(await reverse(owner, paid));
  expect(await seen(paid)).toMatchObject({ paidPaise: totalPaise, refundedPaise: 0 });
});

test("a free order takes no payment", async () => {
  const { id, number } = await newOrder();
  await store.deps.db.updateTable("orders").set({ total_paise: 0 }).where("id", "=", id).execute();
  const refused = await takeCash(counter.visitor, id, 100);
  expect([codeOf(refused), messageOf(refused)]).toEqual([
    "CONFLICT",
    `Order ${number} is free: there is nothing to pay`,
  ]);
});

test("counter staff cannot cancel an order for which a part was paid", async () => {
  const order = await newOrder();
  expectDone(await take(counter, order, 100));
  expect(codeOf(await cancel(counter, order))).toBe("FORBIDDEN");
  expectDone(await cancel(owner, order));
});

test("staff of other shops can neither pay for an order nor refund it nor learn of it", async () => {
  const order = await newOrder();
  expect(codeOf(await take(stranger, order, 100))).toBe("NOT_FOUND");
  expectDone(await pay(owner, order));
  expect(codeOf(await refundCash(stranger.visitor, order.id, 100))).toBe("NOT_FOUND");
  expect(codeOf(await reverse(stranger, order))).toBe("NOT_FOUND");
  expect((await seenByStudent(visitor, order.id)).paidAt).toEqual(expect.any(String));
});

test("unpaid orders use the new UPI ID after a shop changes it", async () => {
  const order = await newOrder();
  await store.deps.db.updateTable("shops").set({ upi_id: "new@okbank" }).where("id", "=", shopId).execute();
  expect((await seenByStudent(visitor, order.id)).upiId).toBe("new@okbank");
  await store.deps.db.updateTable("shops").set({ upi_id: "" }).where("id", "=", shopId).execute();
  expect(await seenByStudent(visitor, order.id)).toMatchObject({ upiId: "", paidAt: null });
});
