import { beforeAll, expect, test } from "vitest";
import { ADDRESS, orderFor, seenByStudent } from "../factories/orders.ts";
import { moveTo, type PlacedOrder, placeOrder } from "../factories/placed-orders.ts";
import { codeOf } from "../factories/shops.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { testStore } from "../setup/test-store.ts";

const store = testStore();
let shopId: string;
let staff: ApiClient;
beforeAll(async () => {
  [shopId] = await shopIds(store);
  staff = (await signedInAdmin(store)).visitor;
});

async function one({ visitor, id }: Pick<PlacedOrder, "visitor" | "id">) {
  return seenByStudent(visitor, id);
}

test("a student sees every detail of their own order, at the agreed price and shop, whatever they are now", async () => {
  await placeOrder(store, shopId);
  const { visitor } = await signedInStudent(store);
  const request = await orderFor(visitor, { shopId });
  const placed = await visitor.post("/api/v1/prints/printorder", { ...request, address: ADDRESS });
  const { _id: id, orderNumber: number } = placed.body.data;
  await store.deps.db.updateTable("shop_options").set({ price_paise: 9900 }).execute();
  const moved = { name: "Quay Copies", location: "Kochi", email: "q@shops.example", contact_number: "2" };
  await store.deps.db.updateTable("shops").set(moved).where("id", "=", shopId).execute();

  const order = await one({ visitor, id });
  const { orderData, orderValue } = request;
  expect(order).toMatchObject({
    id,
    number,
    state: "placed",
    placedAt: store.deps.now().toISOString(),
    shop: {
      id: shopId,
      name: orderData.shopName,
      location: orderData.shopLocation,
      email: orderData.shopEmail,
      contactNumber: orderData.shopContactNumber,
    },
    fulfilment: "delivery",
    pickupCode: null,
    paidPaise: 0,
    refundedPaise: 0,
    paidAt: null,
    stars: null,
    upiId: "",
    address: ADDRESS,
    message: "Please staple at the top left",
    pages: 3,
    copies: 2,
    totalPaise: Number(orderValue.orderTotal) * 100,
    files: [{ name: "notes.pdf", pages: 3, pageRanges: null }],
    fileStatus: { count: 1, status: "kept", deleteAt: null },
    cancelReason: null,
  });
  expect(order.quote.totalPaise).toBe(Number(orderValue.orderTotal) * 100);
  expect(order.quote.jobs[0].lines.map(({ name }: { name: string }) => name)).toEqual([
    orderData.printedColour,
    orderData.printingSide,
    orderData.paperType,
    orderData.paperSize,
    orderData.coverOption,
    orderData.bindingOption,
  ]);
  const offered = (await visitor.get(`/api/v1/prints/shopdata?id=${shopId}`)).body.data;
  expect(order.options[0].bindingOptions).toBe(offered.bindingOptions[0]._id);
});

test("the order's states are listed with their times, oldest first, and like its files without names", async () => {
  const order = await placeOrder(store, shopId);
  const placedAt = store.deps.now().toISOString();
  store.clock.advance({ minutes: 20 });
  await moveTo(staff, order.id, "printed");
  const printedAt = store.deps.now().toISOString();
  store.clock.advance({ minutes: 5 });
  await staff.mutate("board.note", { orderId: order.id, body: "Kept at the counter" });
  await staff.mutate("board.cancel", { orderId: order.id, from: "printed", reason: "Nobody came" });

  const answer = await one(order);
  expect(answer.reached).toEqual([
    { state: "placed", at: placedAt },
    { state: "printing", at: printedAt },
    { state: "printed", at: printedAt },
    { state: "cancelled", at: store.deps.now().toISOString() },
  ]);
  expect(answer.cancelReason).toBe("Nobody came");
  const file = { id: order.fileId, name: "notes.pdf", pages: 3, pageRanges: null };
  expect(answer.files).toEqual([{ ...file, bytes: expect.any(Number) }]);
  expect(JSON.stringify(answer)).not.toContain("Kept at the counter");
});

test("nobody else can see the order, staff included: it answers like an unknown one", async () => {
  const { id } = await placeOrder(store, shopId);
  const { visitor: stranger } = await signedInStudent(store);
  const unknown = await stranger.query("orders.one", { orderId: "no-such-order" });
  expect(unknown.status).toBe(404);
  for (const visitor of [stranger, staff]) {
    const answer = await visitor.query("orders.one", { orderId: id });
    expect(answer.body.error.message).toBe(unknown.body.error.message);
    expect([answer.status, codeOf(answer)]).toEqual([404, "NOT_FOUND"]);
  }
});
