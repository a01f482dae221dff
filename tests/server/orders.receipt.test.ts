import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { indianTime } from "#shared/indian-time.ts";
import { OPTION_FIELDS } from "#shared/options.ts";
import type { PriceLine } from "#shared/pricing.ts";
import { ADDRESS, orderFor, seenByStudent, uploadPages } from "../factories/orders.ts";
import { payInFull, refundCash, reverseLast } from "../factories/payments.ts";
import { moveTo, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { acceptedReprint } from "../factories/reprints.ts";
import { codeOf, expectDone, shownShop } from "../factories/shops.ts";
import { logInAgain, type StaffPerson, shopIds, signedInAdmin, signedInCounter } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { readPages } from "../setup/pdf-reader.ts";
import { testStore } from "../setup/test-store.ts";
import { download, packPath } from "./packs.fixtures.ts";

const store = testStore();
let shopId: string;
let admin: StaffPerson;
let staff: ApiClient;
beforeAll(async () => {
  [shopId] = await shopIds(store);
  admin = await signedInAdmin(store);
  staff = admin.visitor;
});
// A refund or reversal needs a proof from the last ten minutes.
beforeEach(() => logInAgain(admin));

const pathOf = (id: string) => `/orders/${id}/receipt.pdf`;

/** Lets a minute pass, and returns the time as a receipt shows it. */
function aMinuteLater(): string {
  store.clock.advance({ minutes: 1 });
  return indianTime(store.deps.now().toISOString());
}

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
  const placed = await seenByStudent(visitor, id);
  const exact = placed.quote.jobs[0].lines.reduce(
    (sum: number, { amountPaise }: PriceLine) => sum + amountPaise,
    0,
  );
  expect(exact + placed.quote.roundingPaise).toBe(placed.quote.subTotalPaise);
  store.clock.advance({ minutes: 5 });
  await moveTo(staff, id, "printed");
  const back = aMinuteLater();
  expectDone(await staff.mutate("board.move", { orderId: id, from: "printed", to: "printing" }));
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
    `Being printed, ${back}`,
    "notes.pdf",
    "3 pages, 2 copies, 6 sheets of paper",
    ...placed.quote.jobs[0].lines.map(({ kind, name, amountPaise, ...line }: PriceLine) => {
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

test("the receipt and the ticket of a reprint name the order that it reprints, and the receipt says that nothing is to be paid", async () => {
  const original = await acceptedReprint(store, staff, shopId);
  const again = { orderId: original.id, filesUrl: [await uploadPages(original.visitor, 3)] };
  const { id } = expectDone(await original.visitor.mutate("reprints.order", again));
  const [text = ""] = await receiptOf(original.visitor, id);
  expect(flat(text)).toContain(flat(`Reprint of Order ${original.number}, at no charge`));
  // Beside its number, and where the payment is named.
  expect(flat(text).match(/Nothing to pay/g)).toHaveLength(2);
  expect((await receiptOf(original.visitor, original.id)).join()).not.toContain("Reprint");
  const { bytes } = await download(staff, packPath({ id }));
  const [ticket = ""] = await readPages(bytes);
  expect(flat(ticket)).toContain(`Reprint of Order ${original.number}, at no charge`);
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

  const shop = await shownShop(staff, undefined, { offersPickup: true, upiId: "lamp.post@okbank" });
  const pickup = await placeAnother(cancelled.visitor, cancelled.student, shop.id, "pickup");
  expect(flat((await receiptOf(pickup.visitor, pickup.id)).join())).toContain("Payment Unpaid · UPI");
  await moveTo(staff, pickup.id, "printed");
  expectDone(await payInFull(staff, pickup.id));
  const text = (await receiptOf(pickup.visitor, pickup.id)).join();
  for (const part of ["Picked up at the shop", "Marked as paid by the shop", "Ready for pickup, "])
    expect(text).toContain(part);
  const proof = { by: "note", note: "Showed a card" };
  expectDone(await staff.mutate("board.handOver", { orderId: pickup.id, proof }));
  expect((await receiptOf(pickup.visitor, pickup.id)).join()).toContain("Picked up, ");
});

test("it is an order summary until something is paid, then a receipt with every payment, refund and the balance", async () => {
  const { id, visitor } = await placeOrder(store, shopId);
  const unpaid = flat((await receiptOf(visitor, id)).join());
  expect(unpaid).toContain("Order summary");
  expect(unpaid).not.toMatch(/Payments|Tax invoice/);

  const { totalPaise } = await seenByStudent(visitor, id);
  const partPaidAt = aMinuteLater();
  const part = { orderId: id, method: "upi", amountPaise: totalPaise - 500, key: "part-of-it" };
  expectDone(await staff.mutate("payments.take", part));
  expect(flat((await receiptOf(visitor, id)).join())).toContain("₹5.00 to pay");
  expectDone(await payInFull(staff, id));
  expectDone(await reverseLast(staff, id));
  const reversed = flat((await receiptOf(visitor, id)).join());
  expect(reversed).toContain("Left to pay ₹5.00");
  expect(reversed).not.toContain("Paid, Cash");
  const paidAt = aMinuteLater();
  expectDone(await payInFull(staff, id));
  const refundedAt = aMinuteLater();
  expectDone(await refundCash(staff, id, 200));
  const pages = await receiptOf(visitor, id);
  expect(pages).toHaveLength(1);
  const paid = flat(pages.join());
  expect(paid).not.toContain("Order summary");
  for (const said of [
    `${rupees(totalPaise - 200)} paid in full`,
    `Payment Marked as paid by the shop, ${paidAt}`,
    `Paid, UPI ${partPaidAt} ${rupees(totalPaise - 500)}`,
    `Paid, Cash ${paidAt} ₹5.00`,
    `Refunded, Cash ${refundedAt} -₹2.00`,
    "Left to pay ₹0.00",
  ]) {
    expect(paid).toContain(said);
  }
  expectDone(await staff.mutate("board.cancel", { orderId: id, from: "placed", reason: "No toner" }));
  const left = rupees(totalPaise - 200);
  const cancelled = flat((await receiptOf(visitor, id)).join());
  expect(cancelled).toContain(`${left} to be refunded`);
  expect(cancelled).toContain(`Still to be refunded ${left}`);
  expectDone(await refundCash(staff, id, totalPaise - 200));
  const refunded = flat((await receiptOf(visitor, id)).join());
  expect(refunded).toContain(`${rupees(totalPaise)} refunded`);
  expect(refunded).not.toMatch(/to be refunded|Order summary/);
});

describe("the tax invoice of a shop with a GSTIN", () => {
  const TAX = {
    gstin: "27 AAPFU-0939F1ZV",
    legalName: "Asha Prints LLP",
    address: "4 Mall Road, Pune",
    ratePercent: 18,
    sac: "998912",
    series: "ap",
  };
  let taxShop: string;
  beforeAll(async () => {
    taxShop = (await shownShop(staff, undefined, { offersPickup: true })).id;
    expectDone(await staff.mutate("tax.save", { ...TAX, shopId: taxShop }));
  });

  /** An order of the shop, printed and paid. */
  async function printedOrder() {
    const order = await placeOrder(store, taxShop);
    await moveTo(staff, order.id, "dispatched");
    expectDone(await payInFull(staff, order.id));
    return order;
  }
  const deliver = (id: string) =>
    staff.mutate("board.move", { orderId: id, from: "dispatched", to: "delivered" });
  const invoicesOf = (id: string) =>
    store.deps.db
      .selectFrom("invoices")
      .selectAll()
      .where("order_id", "=", id)
      .orderBy("issued_at")
      .orderBy("id")
      .execute();

  test("is issued once the order is delivered, with the tax within the total that was agreed", async () => {
    const order = await printedOrder();
    expect(flat((await receiptOf(order.visitor, order.id)).join())).not.toContain("Tax invoice");
    const issuedAt = aMinuteLater();
    expectDone(await deliver(order.id));
    aMinuteLater();
    expectDone(await staff.mutate("tax.save", { ...TAX, legalName: "Renamed", shopId: taxShop }));
    expectDone(await staff.mutate("tax.save", { ...TAX, shopId: taxShop }));

    const [invoice, ...more] = await invoicesOf(order.id);
    const { totalPaise } = await seenByStudent(order.visitor, order.id);
    const half = Math.round((totalPaise * 9) / 118);
    expect(more).toEqual([]);
    expect(invoice).toMatchObject({
      gstin: "27AAPFU0939F1ZV",
      series: "AP",
      place: "27",
      total_paise: totalPaise,
      taxable_paise: totalPaise - 2 * half,
      cgst_paise: half,
      sgst_paise: half,
      igst_paise: 0,
    });
    const [own] = (await order.visitor.get("/my-data")).body.orders;
    expect(own.invoices).toMatchObject([{ number: `AP/2627/${invoice?.seq}`, total: totalPaise / 100 }]);
    const pages = await receiptOf(order.visitor, order.id);
    expect(pages).toHaveLength(1);
    const text = flat(pages.join());
    for (const said of [
      "Tax invoice",
      `Invoice AP/2627/${invoice?.seq} Issued ${issuedAt}`,
      "Asha Prints LLP, 4 Mall Road, Pune, Maharashtra (27)",
      "GSTIN 27AAPFU0939F1ZV",
      "Place of supply Maharashtra (27)",
      `Taxable value HSN/SAC 998912 ${rupees(totalPaise - 2 * half)}`,
      `CGST 9 % ${rupees(half)}`,
      `SGST 9 % ${rupees(half)}`,
      `Order total ${rupees(totalPaise)}`,
      "Tax is not payable on reverse charge. For Asha Prints LLP, authorised signatory:",
    ]) {
      expect(text).toContain(said);
    }
    const counter = await signedInCounter(store, [taxShop]);
    const seen = await counter.visitor.fetch(`/admin${pathOf(order.id)}`);
    expect(seen.status).toBe(200);
  });

  test("has the whole tax as IGST for a buyer in another state", async () => {
    const { visitor } = await signedInStudent(store);
    const request = await orderFor(visitor, { shopId: taxShop });
    const address = { ...ADDRESS, country: "India, Karnataka" };
    const { body } = await visitor.post("/api/v1/prints/printorder", { ...request, address });
    const { _id: id } = body.data;
    await moveTo(staff, id, "dispatched");
    expectDone(await deliver(id));
    const { totalPaise } = await seenByStudent(visitor, id);
    const tax = Math.round((totalPaise * 18) / 118);
    const text = flat((await receiptOf(visitor, id)).join());
    expect(text).toContain("Place of supply Karnataka (29)");
    expect(text).toContain(
      `Taxable value HSN/SAC 998912 ${rupees(totalPaise - tax)} IGST 18 % ${rupees(tax)} Total with GST`,
    );
  });

  test("is lowered by a credit note for each refund, down to no paisa, and raised again by a debit note", async () => {
    const order = await printedOrder();
    const issuedAt = aMinuteLater();
    expectDone(await deliver(order.id));
    const { totalPaise } = await seenByStudent(order.visitor, order.id);
    const refundedAt = aMinuteLater();
    expectDone(await refundCash(staff, order.id, 100));
    // A note has the terms of its invoice, whatever the shop's are by then.
    const changes = { legalName: "Renamed", ratePercent: 5, series: "NEW" };
    expectDone(await staff.mutate("tax.save", { ...TAX, ...changes, shopId: taxShop }));
    expectDone(await refundCash(staff, order.id, totalPaise - 100));
    expectDone(await staff.mutate("tax.save", { ...TAX, shopId: taxShop }));
    const issued = await invoicesOf(order.id);
    const terms = issued.map(({ legal_name, rate_percent, series }) => [legal_name, rate_percent, series]);
    expect(terms).toEqual(Array(3).fill(["Asha Prints LLP", 18, "AP"]));
    expect(issued.map(({ kind, total_paise }) => [kind, total_paise])).toEqual([
      ["invoice", totalPaise],
      ["credit", -100],
      ["credit", 100 - totalPaise],
    ]);
    for (const part of ["taxable_paise", "cgst_paise", "sgst_paise"] as const) {
      expect(issued.reduce((sum, row) => sum + row[part], 0)).toBe(0);
    }
    const pages = (await receiptOf(order.visitor, order.id)).map(flat);
    expect(pages).toHaveLength(3);
    expect(pages[1]).toContain("Credit note");
    expect(pages[1]).toContain(`Number AP/2627/C${issued[1]?.seq} Issued ${refundedAt}`);
    expect(pages[1]).toContain(`For invoice AP/2627/${issued[0]?.seq} Of ${issuedAt}`);
    expect(pages[1]).toContain("Total with GST -₹1.00");
    expect(pages[1]).toContain("Reason Page 3 was blank");

    expectDone(await reverseLast(staff, order.id));
    expect((await invoicesOf(order.id)).at(-1)).toMatchObject({
      kind: "debit",
      total_paise: totalPaise - 100,
    });
  });

  test("says what was given back before the hand-over between the order's price and its own", async () => {
    const order = await printedOrder();
    const { totalPaise } = await seenByStudent(order.visitor, order.id);
    expectDone(await refundCash(staff, order.id, 100));
    expectDone(await deliver(order.id));
    const charged = rupees(totalPaise - 100);
    const text = flat((await receiptOf(order.visitor, order.id)).join());
    expect(text).toContain(
      `Order total ${rupees(totalPaise)} Taken off before the hand-over -₹1.00 Charged ${charged} `,
    );
    expect(text).toContain(`Total with GST ${charged}`);
  });

  test("is on one page also with a refund before the hand-over, and of a supplier with a long name", async () => {
    const legalName = "Shri Lakshmi Narayan Printing, Binding and Stationery Works Private Limited";
    const address =
      "Shop 14, Ground Floor, Ganesh Complex, opposite the Engineering College, Karve Road, Pune 411004";
    expectDone(await staff.mutate("tax.save", { ...TAX, legalName, address, shopId: taxShop }));
    const { visitor } = await signedInStudent(store);
    const request = await orderFor(visitor, { shopId: taxShop });
    const { body } = await visitor.post("/api/v1/prints/printorder", { ...request, address: ADDRESS });
    const { _id: id } = body.data;
    await moveTo(staff, id, "dispatched");
    expectDone(await payInFull(staff, id));
    expectDone(await refundCash(staff, id, 100));
    expectDone(await deliver(id));
    expectDone(await staff.mutate("tax.save", { ...TAX, shopId: taxShop }));
    const pages = (await receiptOf(visitor, id)).map(flat);
    expect(pages).toHaveLength(1);
    expect(pages[0]).toContain(`For ${legalName}, authorised signatory:`);
  });

  test("is not issued for what costs nothing any more, until the refund turns out to be a mistake", async () => {
    const order = await printedOrder();
    const { totalPaise } = await seenByStudent(order.visitor, order.id);
    expectDone(await refundCash(staff, order.id, totalPaise));
    expectDone(await reverseLast(staff, order.id));
    expectDone(await refundCash(staff, order.id, totalPaise));
    expectDone(await deliver(order.id));
    expect(await invoicesOf(order.id)).toEqual([]);
    expectDone(await reverseLast(staff, order.id));
    expect(await invoicesOf(order.id)).toMatchObject([{ kind: "invoice", total_paise: totalPaise }]);
  });

  test("is not issued by a refund for what was handed over before the shop had a GSTIN", async () => {
    const { id: shopId } = await shownShop(staff, undefined, { offersPickup: true });
    const order = await placeOrder(store, shopId);
    await moveTo(staff, order.id, "dispatched");
    expectDone(await payInFull(staff, order.id));
    expectDone(await deliver(order.id));
    expectDone(await staff.mutate("tax.save", { ...TAX, series: "LT", shopId }));
    expectDone(await refundCash(staff, order.id, 100));
    expect(await invoicesOf(order.id)).toEqual([]);
  });

  test("needs a valid GSTIN with a name and an address, and numbers that no other shop with it uses", async () => {
    const [{ id: other }, { id: another }] = [await shownShop(staff), await shownShop(staff)];
    const save = (changes: Record<string, unknown>) =>
      staff.mutate("tax.save", { ...TAX, shopId: other, ...changes });
    expect((await save({ gstin: "27AAPFU0939F1ZW" })).status).toBe(422);
    expect((await save({ legalName: " " })).status).toBe(422);
    expect((await save({ ratePercent: 17 })).status).toBe(422);
    expect(codeOf(await save({}))).toBe("CONFLICT");
    expectDone(await save({ series: "B" }));
    for (const shopId of [other, another]) expectDone(await save({ gstin: "", legalName: "", shopId }));
    const audit = await store.deps.readDb
      .selectFrom("audit_log")
      .select(["by_name", "after"])
      .where("action", "=", "shop.tax")
      .where("shop_id", "=", other)
      .orderBy("id")
      .execute();
    expect(audit.map(({ by_name }) => by_name)).toEqual(Array(2).fill(admin.person.fullName));
    const [first, second] = audit.map(({ after }) => JSON.parse(after ?? ""));
    expect(first).toMatchObject({ gstin: "27AAPFU0939F1ZV", legalName: TAX.legalName, series: "B" });
    expect(second).toEqual({ gstin: "", legalName: "", series: "AP" });
    expect(expectDone(await staff.query("tax.settings", { shopId: other }))).toMatchObject({ gstin: "" });
    const { id } = await placeOrder(store, another);
    await moveTo(staff, id, "delivered");
    expect(await invoicesOf(id)).toEqual([]);
  });
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
  return `₹${(paise / 100).toLocaleString("en-IN", { minimumFractionDigits: 2 })}`;
}

/** Ignores line breaks and the order of columns. */
function flat(text: string): string {
  return text.normalize("NFC").replace(/\s+/g, " ");
}
