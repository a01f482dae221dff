import { beforeAll, expect, test } from "vitest";
import { findToPrint } from "#server/orders/holds/holds.queries.ts";
import { getShop, orderFor, seenByStudent } from "../factories/orders.ts";
import { placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { codeOf, expectDone, priceEntry, shownShop, smallPriceList } from "../factories/shops.ts";
import { type StaffPerson, shopIds, signedInAdmin, signedInCounter } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let shopId: string;
let otherShopId: string;
let clerk: StaffPerson;
beforeAll(async () => {
  [shopId, otherShopId] = await shopIds(store);
  clerk = await signedInCounter(store, [shopId]);
});

const setOut = (optionId: string, isOut: boolean, more: object = {}) =>
  clerk.visitor.mutate("stock.setOut", { shopId, optionId, isOut, ...more });
const stock = async () => expectDone(await clerk.visitor.query("stock.list", { shopId }));
const stockOf = async (id: string) => (await stock()).find((option: { id: string }) => option.id === id);

test("an option that is out is shown as out and refused by name, until it is back", async () => {
  const { visitor } = await signedInStudent(store);
  const order = await orderFor(visitor, { shopId });
  const paper = (await getShop(visitor, shopId)).paperTypes[0];
  if (!paper) throw new Error("the shop has no paper");
  expectDone(await setOut(paper._id, true));
  expect((await getShop(visitor, shopId)).paperTypes[0]).toMatchObject({ name: paper.name, isOut: true });
  const refused = await visitor.post("/api/v1/prints/printorder", order);
  expect([refused.status, refused.body.issues[0].path]).toEqual([409, "orderData.paperType"]);
  expect(refused.body.message).toContain(`run out of “${paper.name}”`);
  // Pressed by somebody who does not see yet that it is out already.
  expectDone(await setOut(paper._id, true));
  expectDone(await setOut(paper._id, false));
  expect((await getShop(visitor, shopId)).paperTypes[0]).not.toHaveProperty("isOut");
  expect((await visitor.post("/api/v1/prints/printorder", order)).status).toBe(200);
  const log = store.deps.readDb
    .selectFrom("audit_log")
    .select(["action", "subject_name", "by_user_id", "shop_id"])
    .where("subject_id", "=", paper._id)
    .orderBy("id");
  const entry = { subject_name: paper.name, by_user_id: clerk.userId, shop_id: shopId };
  expect(await log.execute()).toEqual([
    { action: "stock.out", ...entry },
    { action: "stock.back", ...entry },
  ]);
});

test("the price of the sample job, to guests and to staff, is that of options in stock", async () => {
  const { visitor: admin } = await signedInAdmin(store);
  const lists = { ...smallPriceList(), printedColours: [priceEntry("Black", 100), priceEntry("Free", 0)] };
  const shown = await shownShop(admin, lists);
  const prices = async () => {
    const cards = expectDone(await store.visitor().query("shops.page", { search: shown.shopName })).shops;
    const { samplePaise } = expectDone(await admin.query("shops.admin.byId", { shopId: shown.id }));
    return [cards[0].samplePaise, samplePaise];
  };
  const free = (await getShop(admin, shown.id)).printedColours[1]?._id;
  const setFree = async (isOut: boolean) =>
    expectDone(await admin.mutate("stock.setOut", { shopId: shown.id, optionId: free, isOut }));
  // 42 rupees, tax 2, delivery 2.
  expect(await prices()).toEqual([4600, 4600]);
  await setFree(true);
  expect(await prices()).toEqual([6600, 6600]);
  await setFree(false);
  expect(await prices()).toEqual([4600, 4600]);
});

test("the last option of a list goes out only with a yes, also when two clerks mark the last two at once", async () => {
  const { paperTypes } = await getShop(clerk.visitor, shopId);
  const ids = paperTypes.map(({ _id }) => _id);
  for (const id of ids.slice(2)) expectDone(await setOut(id, true));
  const answers = await Promise.all(ids.slice(0, 2).map((id) => setOut(id, true)));
  expect(answers.map(codeOf).sort()).toEqual(["CONFLICT", "done"]);
  const refused = answers.find((answer) => codeOf(answer) === "CONFLICT");
  expect(refused?.body.error.message).toMatch(/last paper type.*cannot order here/);
  const last = ids[answers.findIndex((answer) => codeOf(answer) === "CONFLICT")] ?? "";
  expect((await stockOf(last)).isOut).toBe(false);
  expectDone(await setOut(last, true, { isLastAccepted: true }));
  expect((await getShop(clerk.visitor, shopId)).paperTypes.every(({ isOut }) => isOut)).toBe(true);
  for (const id of ids) expectDone(await setOut(id, false));
});

test("the orders that wait for it are counted, and asked about with one press, once", async () => {
  const first = await placeOrder(store, shopId);
  const [paper] = (await getShop(first.visitor, shopId)).paperTypes;
  store.clock.advance({ seconds: 1 });
  const second = await placeAnother(first.visitor, first.student, shopId);
  // A second part with the same options counts for nothing.
  const lines = store.deps.db.selectFrom("order_lines").selectAll().where("order_id", "=", second.id);
  const secondPart = (await lines.execute()).map((line) => ({ ...line, job: 1 }));
  await store.deps.db.insertInto("order_lines").values(secondPart).execute();
  const printed = await placeAnother(first.visitor, first.student, shopId);
  for (const [from, to] of [
    ["placed", "printing"],
    ["printing", "printed"],
  ])
    expectDone(await clerk.visitor.mutate("board.move", { orderId: printed.id, from, to }));
  const optionId = paper?._id ?? "";
  const early = await clerk.visitor.mutate("stock.ask", { shopId, optionId });
  expect([early.status, codeOf(early)]).toEqual([409, "CONFLICT"]);
  const { waiting } = await stockOf(optionId);
  expect(waiting).toBeGreaterThanOrEqual(2);
  const asked = await findToPrint(store.deps.readDb, { shopId, optionId, states: ["placed"] });
  const ids = asked.map(({ id }) => id);
  expect(ids, "the oldest first: ids are in the order of time").toEqual(ids.toSorted());
  expectDone(await setOut(optionId, true));
  expect(expectDone(await clerk.visitor.mutate("stock.ask", { shopId, optionId }))).toEqual({
    held: waiting,
    atCounter: 0,
    refusals: [],
  });
  for (const { id } of [first, second]) {
    const { hold } = await seenByStudent(first.visitor, id);
    expect(hold.reason).toContain(`“${paper?.name}” has run out`);
  }
  expect((await seenByStudent(first.visitor, printed.id)).hold).toBeNull();
  const again = expectDone(await clerk.visitor.mutate("stock.ask", { shopId, optionId }));
  expect([again.held, (await stockOf(optionId)).waiting]).toEqual([0, 0]);
  expectDone(await setOut(optionId, false));
});

test("an option of another shop, and another shop, are not found", async () => {
  const there = (await getShop(clerk.visitor, otherShopId)).paperTypes[0]?._id ?? "";
  expect(codeOf(await setOut(there, true))).toBe("NOT_FOUND");
  expect(codeOf(await setOut(there, true, { shopId: otherShopId }))).toBe("NOT_FOUND");
  for (const wish of [
    { shopId, optionId: there },
    { shopId: otherShopId, optionId: there },
  ])
    expect(codeOf(await clerk.visitor.mutate("stock.ask", wish))).toBe("NOT_FOUND");
  expect((await getShop(clerk.visitor, otherShopId)).paperTypes[0]).not.toHaveProperty("isOut");
});

test("a student on hold cannot choose an option that is out too", async () => {
  const { id, visitor } = await placeOrder(store, shopId);
  expectDone(await clerk.visitor.mutate("holds.hold", { orderId: id, reason: "The paper has run out" }));
  const { hold, options } = await seenByStudent(visitor, id);
  const { paperTypes } = await getShop(visitor, shopId);
  const other = paperTypes.find(({ _id }) => _id !== options[0].paperTypes)?._id ?? "";
  expectDone(await setOut(other, true));
  const wish = { orderId: id, holdId: hold.id, options: [{ paperTypes: other }] };
  const refused = await visitor.query("holds.quote", wish);
  expect(refused.body.error.message).toContain("run out of");
  expectDone(await setOut(other, false));
  expect((await visitor.query("holds.quote", wish)).status).toBe(200);
});
