import { afterAll, beforeAll, expect, test } from "vitest";
import type { ChosenFulfilment } from "#shared/order-states.ts";
import { upiLink } from "#shared/payment.ts";
import type { ShopForm } from "#shared/schemas/shop-admin.ts";
import { seenByStudent } from "../factories/orders.ts";
import { payInFull, refundCash, reverseLast, takeCash } from "../factories/payments.ts";
import { moveTo, placeAnother } from "../factories/placed-orders.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { signedUpStudent } from "../factories/students.ts";
import type { ApiClient } from "../setup/api-client.ts";
import { followUp } from "../setup/follow-up.ts";
import { readQrCode } from "../setup/read-qr-code.ts";
import { type ReceivedMail, SmtpInbox } from "../setup/smtp-inbox.ts";
import { testStore } from "../setup/test-store.ts";

const UPI_ID = "lamppost@okaxis";

const inbox = await SmtpInbox.start();
afterAll(() => inbox.close());
const store = testStore({ SMTP_URL: inbox.url, MAIL_FROM: "store@print-store.example" });
let staff: ApiClient;
beforeAll(async () => {
  staff = (await signedInAdmin(store)).visitor;
});

/** An order by a new student at a new shop, with its payment link and mails. */
async function orderAt(fields: Partial<ShopForm>, fulfilment?: ChosenFulfilment) {
  const shop = await shownShop(staff, undefined, fields);
  const { visitor, student } = await signedUpStudent(store, receivedCode);
  const order = await placeAnother(visitor, student, shop.id, fulfilment);
  const { totalPaise } = await seenByStudent(visitor, order.id);
  const facts = { upiId: UPI_ID, shopName: shop.shopName, amountPaise: totalPaise };
  return { ...order, link: upiLink({ ...facts, orderNumber: order.number }) };
}

async function receivedCode(email: string): Promise<string> {
  const find = () => /\b\d{6}\b/.exec(inbox.to(email)[0]?.text ?? "")?.[0];
  await expect.poll(find).toBeDefined();
  return find() as string;
}

async function mailOf({ student }: { student: { email: string } }, subject: string): Promise<ReceivedMail> {
  const find = () => inbox.to(student.email).find((mail) => mail.subject?.includes(subject));
  await expect.poll(find).toBeDefined();
  return find() as ReceivedMail;
}

async function codesIn({ attachments: [logo, ...attachments], html = "" }: ReceivedMail) {
  expect(logo?.filename).toBe("logo.png");
  const shown = attachments.filter(({ contentId = "" }) =>
    html.includes(`src="cid:${contentId.slice(1, -1)}"`),
  );
  expect(shown).toHaveLength(attachments.length);
  return Promise.all(
    shown.map(async ({ mimeType, disposition, content }) => [
      mimeType,
      disposition,
      await readQrCode(new Uint8Array(content as ArrayBuffer)),
    ]),
  );
}

test("mails for an unpaid order at a shop with a UPI ID contain the payment link and its QR code", async () => {
  const order = await orderAt({ upiId: UPI_ID, offersPickup: true }, "pickup");
  const placed = await mailOf(order, `Order ${order.number}: `);
  expect(placed.text).toContain(`How: By UPI to ${UPI_ID}`);
  expect(placed.text).toContain(`by UPI:\n${order.link}`);
  expect(await codesIn(placed)).toEqual([["image/png", "inline", order.link]]);
  expect(placed.text).toContain("Delivery fee: ₹0.00");

  await moveTo(staff, order.id, "printed");
  store.clock.advance({ seconds: 90 });
  await followUp(store, "sendMails");
  const ready = await mailOf(order, "is ready");
  expect(await codesIn(ready)).toEqual([["image/png", "inline", order.link]]);

  const paid = await orderAt({ upiId: UPI_ID });
  expectDone(await payInFull(staff, paid.id));
  await moveTo(staff, paid.id, "dispatched");
  const dispatched = await mailOf(paid, "is on its way");
  expect(dispatched.text).toContain("How: Marked as paid by the shop");
  expect(await codesIn(dispatched)).toEqual([]);
});

test("a payment that is marked before the ready mail is sent is in it: nobody is asked to pay again", async () => {
  const order = await orderAt({ upiId: UPI_ID, offersPickup: true }, "pickup");
  await moveTo(staff, order.id, "printed");
  expectDone(await payInFull(staff, order.id));
  store.clock.advance({ seconds: 90 });
  await followUp(store, "sendMails");
  const ready = await mailOf(order, "is ready");
  expect(ready.text).toContain("How: Marked as paid by the shop");
  expect(await codesIn(ready)).toEqual([]);

  expectDone(await refundCash(staff, order.id, 100));
  const { readDb } = store.deps;
  const subject = ready.subject ?? "";
  expect(
    await readDb.selectFrom("outbox").select("id").where("subject", "=", subject).execute(),
  ).toHaveLength(1);
});

test("a payment that is reversed before the ready mail is sent is not in it: the student is asked to pay", async () => {
  const order = await orderAt({ offersPickup: true }, "pickup");
  expectDone(await payInFull(staff, order.id));
  await moveTo(staff, order.id, "printed");
  expectDone(await reverseLast(staff, order.id));
  store.clock.advance({ seconds: 90 });
  await followUp(store, "sendMails");
  expect((await mailOf(order, "is ready")).text).toContain("How: Pay on pickup");
});

test("the mail about a cancelled order that was paid says how much the shop gives back", async () => {
  const order = await orderAt({ upiId: UPI_ID });
  expectDone(await takeCash(staff, order.id, 150));
  expectDone(await staff.mutate("board.cancel", { orderId: order.id, from: "placed", reason: "No paper" }));
  const cancelled = await mailOf(order, "is cancelled");
  expect(cancelled.text).toContain("The shop will refund you ₹1.50.");
});

test.each([
  ["delivery", "How: Pay on delivery"],
  ["pickup", "How: Pay on pickup"],
] as const)("without a UPI ID the mail of a %s says: %s", async (fulfilment, words) => {
  const order = await orderAt({ offersPickup: true }, fulfilment);
  const placed = await mailOf(order, `Order ${order.number}: `);
  expect(placed.text).toContain(words);
  expect(await codesIn(placed)).toEqual([]);
});
