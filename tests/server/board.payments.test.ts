import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
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
import type { ApiClient } from "../setup/api-client.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

let store: TestStore;
let owner: StaffPerson;
let counter: StaffPerson;
let stranger: StaffPerson;
let shopId: string;
let visitor: ApiClient;
let student: Student;
beforeAll(async () => {
  store = await startTestStore();
  const [otherShopId] = await shopIds(store);
  const admin = await signedInAdmin(store);
  shopId = (await shownShop(admin.visitor, undefined, { upiId: "lamp.post@okbank" })).id;
  owner = await signedInOwner(store, [shopId]);
  counter = await signedInCounter(store, [shopId]);
  stranger = await signedInOwner(store, [otherShopId]);
  ({ visitor, student } = await signedInStudent(store));
});
afterAll(() => store.stop());
// Marking an order as not paid needs a proof from the last ten minutes, and some tests wait longer.
beforeEach(() => logInAgain(owner, counter));

const newOrder = () => placeAnother(visitor, student, shopId);
const setPaid = (staff: StaffPerson, { id }: PlacedOrder, paid: boolean) =>
  staff.visitor.mutate("board.setPaid", { orderId: id, paid });
const seenByStudent = async ({ id }: PlacedOrder) =>
  expectDone(await visitor.query("orders.one", { orderId: id }));
const seenByStaff = async ({ id }: PlacedOrder) =>
  expectDone(await owner.visitor.query("board.order", { orderId: id }));

test("an order is unpaid until staff mark it as paid, which they can undo", async () => {
  const order = await newOrder();
  expect(await seenByStudent(order)).toMatchObject({ paidAt: null, upiId: "lamp.post@okbank" });

  store.clock.advance({ minutes: 5 });
  const paidAt = store.deps.now().toISOString();
  expectDone(await setPaid(owner, order, true));
  expect(await seenByStudent(order)).toMatchObject({ paidAt });
  store.clock.advance({ minutes: 4 });
  expectDone(await setPaid(owner, order, false));

  expect(await seenByStudent(order)).toMatchObject({ paidAt: null });
  const by = owner.person.fullName;
  expect((await seenByStaff(order)).payments).toEqual([
    { paid: true, at: paidAt, by },
    { paid: false, at: store.deps.now().toISOString(), by },
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
    .select(["action", "before", "after", "by_name"])
    .where("subject_id", "=", order.id)
    .orderBy("created_at")
    .execute();
  expect(audit).toEqual([
    { action: "order.paid", before: '{"paid":false}', after: '{"paid":true}', by_name: by },
    { action: "order.unpaid", before: '{"paid":true}', after: '{"paid":false}', by_name: by },
  ]);
});

test("of two people who mark an order as paid at the same moment one is told who was first", async () => {
  const order = await newOrder();
  const answers = await Promise.all([setPaid(owner, order, true), setPaid(counter, order, true)]);

  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);
  const late = answers.find(({ status }) => status === 409);
  const first = late === answers[0] ? counter : owner;
  expect(late?.body.error.message).toBe(
    `${first.person.fullName} was first: order ${order.number} is marked as paid already`,
  );
  expect((await seenByStaff(order)).payments).toMatchObject([{ paid: true, by: first.person.fullName }]);
});

test("the lists show the payment, which stays in every state", async () => {
  const order = await newOrder();
  expectDone(await setPaid(owner, order, true));
  await moveTo(owner.visitor, order.id, "delivered");
  const { rows } = expectDone(await owner.visitor.query("board.page", { state: "all" }));
  const row = rows.find(({ id }: { id: string }) => id === order.id);
  expect(row).toMatchObject({ fulfilment: "delivery", takesUpi: true, paidAt: expect.any(String) });
});

test("a cancelled order cannot be marked as paid, but can be marked as unpaid", async () => {
  const [unpaid, paid] = [await newOrder(), await newOrder()];
  expectDone(await setPaid(owner, paid, true));
  for (const { id } of [unpaid, paid]) {
    const input = { orderId: id, from: "placed", reason: "The printer broke" };
    expect((await owner.visitor.mutate("board.cancel", input)).status).toBe(200);
  }

  const refused = await setPaid(owner, unpaid, true);
  expect([codeOf(refused), refused.body.error.message]).toEqual([
    "CONFLICT",
    `Order ${unpaid.number} is cancelled: there is nothing to pay`,
  ]);
  expectDone(await setPaid(owner, paid, false));
  expect((await setPaid(owner, paid, false)).body.error.message).toBe(
    `Order ${paid.number} is not marked as paid any more`,
  );
});

test("staff of other shops can neither mark an order nor learn of it", async () => {
  const order = await newOrder();
  expect(codeOf(await setPaid(stranger, order, true))).toBe("NOT_FOUND");
  expectDone(await setPaid(owner, order, true));
  expect(codeOf(await setPaid(stranger, order, false))).toBe("NOT_FOUND");
  expect((await seenByStudent(order)).paidAt).not.toBeNull();
});

test("unpaid orders use the new UPI ID after a shop changes it", async () => {
  const order = await newOrder();
  await store.deps.db.updateTable("shops").set({ upi_id: "new@okbank" }).where("id", "=", shopId).execute();
  expect((await seenByStudent(order)).upiId).toBe("new@okbank");
  await store.deps.db.updateTable("shops").set({ upi_id: "" }).where("id", "=", shopId).execute();
  expect(await seenByStudent(order)).toMatchObject({ upiId: "", paidAt: null });
});
