import { beforeAll, expect, test } from "vitest";
import type { FollowUp } from "#db/transaction.ts";
import { orderFor, uploadPages } from "../factories/orders.ts";
import { payInFull } from "../factories/payments.ts";
import { moveTo, placeOrder } from "../factories/placed-orders.ts";
import { expectDone } from "../factories/shops.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import { newStudent, register, signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { recordFollowUps } from "../setup/follow-up.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let shopId: string;
let staff: ApiClient;
let done: FollowUp[];
beforeAll(async () => {
  [shopId] = await shopIds(store);
  staff = (await signedInAdmin(store)).visitor;
  done = recordFollowUps(store.deps.db);
});

/** What follows the commits of these calls. */
async function following(calls: () => Promise<unknown>): Promise<FollowUp[]> {
  done.length = 0;
  await calls();
  return done.toSorted();
}

test("a sign-up and an upload trigger their follow-ups at once", async () => {
  expect(await following(() => register(store.visitor(), newStudent()))).toEqual(["sendMails"]);
  const { visitor } = await signedInStudent(store);
  expect(await following(() => uploadPages(visitor, 1))).toEqual(["checkFiles"]);
});

test("a new order triggers mails and live updates, a repeated or refused one nothing", async () => {
  const { visitor } = await signedInStudent(store);
  const order = await orderFor(visitor, { shopId });
  const place = async () => {
    const answer = await visitor.post("/api/v1/prints/printorder", order, { "Idempotency-Key": "one order" });
    expect(answer.status).toBe(200);
  };

  expect(await following(place)).toEqual(["notifyFollowers", "sendMails"]);
  expect(await following(place)).toEqual([]);
  const other = { ...order, orderValue: { ...order.orderValue, orderTotal: 1 } };
  expect(await following(() => visitor.post("/api/v1/prints/printorder", other))).toEqual([]);
});

test("staff actions on an order trigger each of their follow-ups once", async () => {
  const { id: orderId } = await placeOrder(store, shopId);
  const paid = async () => expectDone(await payInFull(staff, orderId));
  expect(await following(paid)).toEqual(["notifyFollowers"]);
  await moveTo(staff, orderId, "printed");
  const dispatched = { orderId, from: "printed", to: "dispatched" };

  const dispatch = () => staff.mutate("board.move", dispatched);
  expect(await following(dispatch)).toEqual(["eraseFiles", "notifyFollowers", "sendMails"]);
  expect(await following(dispatch)).toEqual([]);
});

test("deleting an account triggers its last mail and the deletion of its files", async () => {
  const { visitor, student } = await signedInStudent(store);
  await uploadPages(visitor, 1);
  const { password } = student;
  const forget = async () => expectDone(await visitor.mutate("privacy.deleteAccount", { password }));
  expect(await following(forget)).toEqual(["eraseFiles", "sendMails"]);
});
