import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { FAILURE } from "#shared/messages.ts";
import { seenByStudent } from "../factories/orders.ts";
import { payInFull, takeCash } from "../factories/payments.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { moveTo, placeOrder } from "../factories/placed-orders.ts";
import { editedPrices, expectDone, shownShop } from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin } from "../factories/staff.ts";
import { expectAccessibleScreen } from "../setup/accessible-screen.ts";
import { readQrCode } from "../setup/read-qr-code.ts";
import { closePopup, openStorefront } from "../setup/storefront.ts";
import {
  goToCheckout,
  ordersOf,
  pdfFile,
  priceOf,
  visitAs,
  visitPreparedOrder,
  visitWithFiles,
  waitForPromise,
} from "./print-steps.ts";

const storefront = openStorefront();
const PHONE = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true } as const;
let admin: StaffPerson;
beforeAll(async () => {
  admin = await signedInAdmin(storefront.store);
});

test("an order can be picked up with its code and paid by UPI, without an address or a delivery fee", async () => {
  const offer = { upiId: "lamppost@okaxis", offersPickup: true };
  const shop = await shownShop(admin.visitor, undefined, offer);
  const notes = pdfFile("Notes.pdf", await pdfOfPages(7));
  const { page, visitor, student } = await visitWithFiles(storefront, [notes], {}, shop.id);
  await page.getByLabel("Number of copies").fill("2");
  await goToCheckout(page, { address: false });

  await expect.poll(() => fee(page)).not.toBe("₹0.00");
  await page.getByRole("button", { name: "address not added" }).waitFor();
  const toAddress = page.getByText("To your address, delivery fee ");
  const delivered = await toAddress.innerText();
  expect(delivered).toContain(await fee(page));
  await page.getByRole("radio", { name: "Pickup" }).check();
  const letShopThrough = await holdBack(page, "shops.byId");
  const promise = waitForPromise(page, 2 * 7);
  await page.reload();
  await page.getByText("Please wait", { exact: true }).waitFor();
  expect(await page.getByLabel("Flat number").count(), "asked for while the shop loads").toBe(0);
  letShopThrough();
  await page.getByRole("radio", { name: "Pickup", checked: true }).waitFor();
  expect(await page.getByLabel("Flat number").count()).toBe(0);
  await expect.poll(() => fee(page)).toBe("₹0.00");
  await priceOf(page).getByText("none for pickup").waitFor();
  expect(await toAddress.innerText()).toBe(delivered);
  await promise;
  await page.getByText("By UPI, with the QR code or link that you get after ordering").waitFor();
  await expectAccessibleScreen(page);
  await page.getByRole("button", { name: "Place Order" }).click();
  await closePopup(page, "Congratulations!!!");

  const [order] = await ordersOf(storefront, student);
  if (!order) throw new Error("There is no order");
  expect(order).toMatchObject({ fulfilment: "pickup", address: null, delivery_fee_paise: 0 });
  await page.goto(`/orders/${order.id}`);
  // A computer has no UPI app that a link could open.
  await page.getByText("Scan the code with a UPI app on your phone.").waitFor();
  expect(await page.getByRole("link", { name: /^Pay ₹/ }).count()).toBe(0);
  const phone = await visitAs(storefront, visitor, PHONE, `/orders/${order.id}`);
  const linkFor = (paise: number) =>
    `upi://pay?pa=${offer.upiId}&pn=${encodeURIComponent(shop.shopName)}&am=${(paise / 100).toFixed(2)}&cu=INR&tn=Order%20${order.number}`;
  const link = linkFor(order.total_paise);
  const payment = phone.getByRole("region", { name: "Payment" });
  const payLink = payment.getByRole("link", { name: /^Pay ₹/ });
  await expect.poll(() => payLink.getAttribute("href")).toBe(link);
  const code = payment.getByRole("img", { name: /^QR code to pay/ });
  expect(await readQrCode(await code.screenshot())).toBe(link);
  expect(await phone.getByText("Your pickup code").count()).toBe(0);

  await phone.getByText("Live: updates automatically").waitFor();
  const tellMe = phone.getByText(/^This browser .* notifications\.$/);
  await tellMe.waitFor();
  expectDone(await takeCash(admin.visitor, order.id, 500));
  await expect.poll(() => payLink.getAttribute("href")).toBe(linkFor(order.total_paise - 500));
  await moveTo(admin.visitor, order.id, "printed");
  await phone.getByRole("region", { name: "Your pickup code" }).getByText(`${order.pickup_code}`).waitFor();
  expect(await tellMe.count(), "there is nothing to wait for").toBe(0);
  await expectAccessibleScreen(phone);
  // What is printed can be talked about only.
  expectDone(await admin.visitor.mutate("holds.hold", { orderId: order.id, reason: "Page 2 is faint" }));
  await phone.getByRole("button", { name: "Answer the shop" }).waitFor();
  expect(await phone.getByRole("button", { name: "Cancel the order" }).count()).toBe(0);
  const { hold } = await seenByStudent(visitor, order.id);
  expectDone(await admin.visitor.mutate("holds.release", { orderId: order.id, holdId: hold.id }));
  expectDone(await payInFull(admin.visitor, order.id));
  await phone.getByText(/^Marked as paid by the shop on /).waitFor();
  const proof = { by: "code", code: order.pickup_code };
  expectDone(await admin.visitor.mutate("board.handOver", { orderId: order.id, proof }));
  await phone.getByRole("status").filter({ hasText: "Picked up" }).waitFor();
  expect(await phone.getByText("Your pickup code").count()).toBe(0);
});

test("a code to pay that could not be drawn without internet is drawn once there is some", async () => {
  const shop = await shownShop(admin.visitor, undefined, { upiId: "lamppost@okaxis" });
  const { id, visitor } = await placeOrder(storefront.store, shop.id);
  const page = await visitAs(storefront, visitor, { refused: ["/robots.txt"] }, "/robots.txt");
  await page.route("**/robots.txt", (route) => route.abort());
  await page.goto(`/orders/${id}`);
  const code = page.getByRole("img", { name: /^QR code to pay/ });
  await page.getByText("You are offline").waitFor();
  expect(await code.count()).toBe(0);
  await page.unroute("**/robots.txt");
  await code.waitFor();
});

test("a price that has changed for pickup is not that of a delivery", async () => {
  const shop = await shownShop(admin.visitor, undefined, { offersPickup: true });
  const options = { refused: ["orders.place"] };
  const { page, student } = await visitPreparedOrder(storefront, options, { shopId: shop.id });
  await page.getByRole("radio", { name: "Pickup" }).check();
  await expect.poll(() => fee(page)).toBe("₹0.00");
  const raised = await editedPrices(admin.visitor, shop.id, ({ printedColours }) => ({
    printedColours: printedColours.map((colour) => ({ ...colour, pricePaise: colour.pricePaise + 200 })),
  }));
  expectDone(await admin.visitor.mutate("prices.save", raised));
  await page.getByRole("button", { name: "Place Order" }).click();
  await closePopup(page, FAILURE.order);
  await page.getByRole("button", { name: /^Accept ₹/ }).click();
  await page.getByRole("radio", { name: "Delivery" }).check();
  await expect.poll(() => fee(page)).not.toBe("₹0.00");
  await page.getByRole("button", { name: "Place Order" }).click();
  await closePopup(page, "Congratulations!!!");
  const [order] = await ordersOf(storefront, student);
  expect(order).toMatchObject({ fulfilment: "delivery", delivery_fee_paise: expect.any(Number) });
});

test("a shop without pickup and UPI offers no choice, and is paid on delivery", async () => {
  const shop = await shownShop(admin.visitor);
  const { page, student } = await visitPreparedOrder(storefront, {}, { shopId: shop.id });
  await page.getByText("On delivery", { exact: true }).waitFor();
  expect(await page.getByRole("radio").count()).toBe(0);
  await page.getByRole("button", { name: "Place Order" }).click();
  await closePopup(page, "Congratulations!!!");

  const [order] = await ordersOf(storefront, student);
  await page.goto(`/orders/${order?.id}`);
  await page.getByText(`You pay ${shop.shopName} on delivery.`).waitFor();
  expect(await page.getByRole("img", { name: /^QR code/ }).count()).toBe(0);
});

/** Holds this procedure's response back until the returned function is called. */
async function holdBack(page: Page, procedure: string): Promise<() => void> {
  const released = Promise.withResolvers<void>();
  await page.route(`**/api/trpc/${procedure}*`, async (route) => {
    await released.promise;
    await route.continue();
  });
  return released.resolve;
}

async function fee(page: Page): Promise<string> {
  const line = priceOf(page).locator("dl > div").filter({ hasText: "Delivery fee" });
  return (await line.locator("dd").textContent()) ?? "";
}
