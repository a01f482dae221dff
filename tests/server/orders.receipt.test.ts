import { afterAll, beforeAll, expect, test } from "vitest";
import { indianTime } from "#shared/indian-time.ts";
import { OPTION_FIELDS } from "#shared/options.ts";
import type { PriceLine } from "#shared/pricing.ts";
import { ADDRESS, orderFor, uploadPages } from "../factories/orders.ts";
import { payInFull } from "../factories/payments.ts";
import { moveTo, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { readPages } from "../setup/pdf-reader.ts";
import { startTestStore, type TestStore } from "../setup/test-store.ts";

let store: TestStore;
let shopId: string;
let staff: ApiClient;
beforeAll(async () => {
  store = await startTestStore();
  [shopId] = await shopIds(store);
  staff = (await signedInAdmin(store)).visitor;
});
afterAll(() => store.stop());

const pathOf = (id: string) => `/orders/${id}/receipt.pdf`;

/** The text of each page of the receipt, read by PDFium. */
async function receiptOf(visitor: ApiClient, id: string): Promise<string[]> {
  const response = await visitor.fetch(pathOf(id));
  if (response.status !== 200) throw new Error(`The receipt answered ${response.status}`);
  return readPages(new Uint8Array(await response.arrayBuffer()));
}

test("a receipt shows on one page the order, its student and shop, and every line of the agreed price", async () => {
  const { visitor, student } = await signedInStudent(store);
  const request = await orderFor(visitor, { shopId });
  const { body } = await visitor.post("/api/v1/prints/printorder", { ...request, address: ADDRESS });
  const { _id: id, orderNumber: number } = body.data;
  const placed = expectDone(await visitor.query("orders.one", { orderId: id }));
  store.clock.advance({ minutes: 5 });
  await moveTo(staff, id, "printing");
  await store.deps.db.updateTable("shop_options").set({ price_paise: 9900 }).execute();

  const response = await visitor.fetch(pathOf(id));
  expect(response.headers.get("content-type")).toBe("application/pdf");
  expect(response.headers.get("content-disposition")).toBe(`attachment; filename="Receipt ${number}.pdf"`);
  expect(response.headers.get("cache-control")).toBe("private, no-store");

  const pages = await receiptOf(visitor, id);
  expect(pages).toHaveLength(1);
  const [text = ""] = pages;
  const { orderData } = request;
  const said = [
    "Print Store\n",
    number,
    `${orderData.shopName}, ${orderData.shopLocation}`,
    `Shop contact ${orderData.shopContactNumber}, ${orderData.shopEmail}`,
    `Placed ${indianTime(placed.placedAt)}`,
    "Payment Pay on delivery",
    `Made on ${indianTime(store.deps.now().toISOString())}`,
    `${student.fullName}, ${student.email}`,
    [ADDRESS.fullname, ADDRESS.flatno, ADDRESS.roadNo, ADDRESS.country].join(", "),
    `Being printed, ${indianTime(store.deps.now().toISOString())}`,
    "notes.pdf",
    "3 pages, 2 copies, 6 sheets of paper",
    ...placed.quote.lines.map(({ kind, name, amountPaise, ...line }: PriceLine) => {
      const per = line.basis === "copy" ? "copies" : `${line.basis}s`;
      const note = `${rupees(line.unitPaise)} × ${line.quantity} ${per}`;
      return `${OPTION_FIELDS[kind].label}: ${name} ${note} ${rupees(amountPaise)}`;
    }),
    "Subtotal",
    rupees(placed.quote.subTotalPaise),
    rupees(placed.quote.taxPaise),
    rupees(placed.quote.deliveryFeePaise),
    "Order total",
    rupees(placed.quote.totalPaise),
  ];
  for (const part of said) expect(flat(text)).toContain(flat(part));
  expect(text).not.toContain("₹99");
});

test("a receipt shows names in Indian scripts", async () => {
  const { visitor, student } = await signedInStudent(store);
  const names = ["आशा वर्मा", "ஆஷா வர்மா", "আশা ভার্মা", "ਆਸ਼ਾ ਵਰਮਾ"];
  const filesUrl = [await uploadPages(visitor, 3)];
  const order = await orderFor(visitor, { shopId, filesUrl });
  const { body } = await visitor.post("/api/v1/prints/printorder", order);
  for (const name of names) {
    await store.deps.db
      .updateTable("users")
      .set({ full_name: name })
      .where("email", "=", student.email)
      .execute();
    expect(flat((await receiptOf(visitor, body.data._id)).join())).toContain(flat(name));
  }
});

test("a long list of files continues on further pages without losing any", async () => {
  const { visitor } = await signedInStudent(store);
  const filesUrl = await Promise.all(Array.from({ length: 45 }, () => uploadPages(visitor, 1)));
  const order = await orderFor(visitor, { shopId, pages: 45, filesUrl });
  const { body } = await visitor.post("/api/v1/prints/printorder", order);

  const pages = await receiptOf(visitor, body.data._id);
  expect(pages.length).toBeGreaterThan(1);
  expect(pages.join("\n").match(/notes\.pdf/g)).toHaveLength(45);
  for (const [index, page] of pages.entries()) {
    expect(flat(page)).toContain(`${body.data.orderNumber}, page ${index + 1}`);
  }
  expect(flat(pages.at(-1) ?? "")).toContain("Order total");
});

test("a receipt shows a cancellation, a pickup and a payment", async () => {
  const cancelled = await placeOrder(store, shopId);
  await staff.mutate("board.cancel", { orderId: cancelled.id, from: "placed", reason: "No toner" });
  expect((await receiptOf(cancelled.visitor, cancelled.id)).join()).toContain("Cancelled, ");

  const shop = await shownShop(staff, undefined, { offersPickup: true });
  const pickup = await placeAnother(cancelled.visitor, cancelled.student, shop.id, "pickup");
  await moveTo(staff, pickup.id, "printed");
  expectDone(await payInFull(staff, pickup.id));
  const text = (await receiptOf(pickup.visitor, pickup.id)).join();
  for (const part of ["Picked up at the shop", "Marked as paid by the shop", "Ready for pickup, "])
    expect(text).toContain(part);
  const proof = { by: "note", note: "Showed a card" };
  expectDone(await staff.mutate("board.handOver", { orderId: pickup.id, proof }));
  expect((await receiptOf(pickup.visitor, pickup.id)).join()).toContain("Picked up, ");
});

test("nobody but the student can get a receipt: it answers like an unknown one", async () => {
  const { id } = await placeOrder(store, shopId);
  const { visitor: stranger } = await signedInStudent(store);
  for (const visitor of [stranger, staff, store.visitor()]) {
    const answers = [await visitor.get(pathOf(id)), await visitor.get(pathOf("no-such-order"))];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(answers[0]?.body).toBe(answers[1]?.body);
  }
});

function rupees(paise: number): string {
  return `₹${(paise / 100).toFixed(2)}`;
}

/** Ignores line breaks and the order of columns. */
function flat(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ");
}
