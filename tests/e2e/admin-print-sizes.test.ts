import { PDFDocument } from "pdf-lib";
import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { seenByStaff } from "../factories/orders.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin, signedInCounter } from "../factories/staff.ts";
import { placeFiles } from "../server/packs.fixtures.ts";
import { expectAccessiblePart } from "../setup/accessible-screen.ts";
import { answersCome, delayRequests, openStorefront } from "../setup/storefront.ts";
import { column, focusedNumber, orderButton, press, visitBoard } from "./admin-orders-steps.ts";

const storefront = openStorefront();
const A3: [number, number] = [842, 1191];
const A4: [number, number] = [595, 842];
const ONE_IS_A3 = "1 of 2 pages is not A4: A3";

async function shopWithClerk(): Promise<{ shopId: string; clerk: StaffPerson }> {
  const admin = await signedInAdmin(storefront.store);
  const { id } = await shownShop(admin.visitor, undefined, { offersPickup: true });
  return { shopId: id, clerk: await signedInCounter(storefront.store, [id]) };
}

async function placePages(shopId: string, ...sizes: [number, number][]) {
  const pdf = await PDFDocument.create();
  for (const size of sizes) pdf.addPage(size).drawText("A page", { x: 20, y: 20 });
  return placeFiles(storefront.store, shopId, [{ name: "Notes.pdf", bytes: await pdf.save() }]);
}

/** The address of the next pack that the page asks for. */
async function packAsked(page: Page, act: () => Promise<unknown>): Promise<string> {
  const [request] = await Promise.all([page.waitForRequest(/pack\.pdf/), act()]);
  return new URL(request.url()).search;
}

test("Print asks before pages of another size are printed, by mouse and by key, and only then", async () => {
  const { shopId, clerk } = await shopWithClerk();
  const [mixed, plain, other] = [
    await placePages(shopId, A4, A3),
    await placePages(shopId, A4, [842, 595]),
    await placePages(shopId, A3, A4),
  ];
  const page = await visitBoard(storefront, clerk);
  const dialog = page.getByRole("dialog", { name: `Print order ${mixed.number}` });
  await orderButton(page, mixed.number).focus();
  await press(page, "p");
  await dialog.getByText(ONE_IS_A3).waitFor();
  await expectAccessiblePart(dialog);
  await press(page, "Escape");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => focusedNumber(page)).toBe(mixed.number);
  expect(page.context().pages()).toHaveLength(1);

  await press(page, "p");
  await dialog.getByRole("button", { name: "Fit to A4" }).and(page.locator(":focus")).waitFor();
  expect(await packAsked(page, () => page.keyboard.press("Enter"))).toBe("");
  await column(page, "Printing").getByText(mixed.number).waitFor();
  await page.locator("[data-moved]").waitFor({ state: "detached" });

  await orderButton(page, plain.number).focus();
  expect(await packAsked(page, () => press(page, "p"))).toBe("");
  await column(page, "Printing").getByText(plain.number).waitFor();

  await page.getByRole("button", { name: `Print: order ${other.number}` }).click();
  const own = page.getByRole("button", { name: "Print at their own size" });
  expect(await packAsked(page, () => own.click())).toBe("?sizes=own");
  await column(page, "Printing").getByText(other.number).waitFor();
});

test("Print asks the student with one press, which puts the order on hold", async () => {
  const { shopId, clerk } = await shopWithClerk();
  const order = await placePages(shopId, A4, A3);
  const page = await visitBoard(storefront, clerk, { path: `/admin/orders?order=${order.id}` });
  const panel = page.getByRole("complementary", { name: `Order ${order.number}` });
  await panel.getByText(`${ONE_IS_A3}. Print asks whether to fit to A4`).waitFor();
  await panel.getByText("Page 2: not A4, so the size on paper may differ").waitFor();
  await panel.getByRole("button", { name: `Print: order ${order.number}` }).click();
  await page.getByRole("button", { name: "Ask the student" }).dblclick();
  await page.getByRole("dialog").waitFor({ state: "detached" });
  const { holds, state } = await seenByStaff(clerk.visitor, order.id);
  expect([state, holds.map(({ reason }: { reason: string }) => reason)]).toEqual([
    "placed",
    [`${ONE_IS_A3}. Shall we fit it to A4? Or send another file, or choose another paper size`],
  ]);
  await panel.getByText("Shall we fit it to A4?").waitFor();
  expect(page.context().pages()).toHaveLength(1);
});

test("of pages of another size nothing is said any more once their file is deleted", async () => {
  const { shopId, clerk } = await shopWithClerk();
  const order = await placePages(shopId, A4, A3);
  const page = await visitBoard(storefront, clerk, { path: `/admin/orders?order=${order.id}` });
  const panel = page.getByRole("complementary", { name: `Order ${order.number}` });
  await panel.getByText("Print asks whether to fit to A4").waitFor();
  expectDone(
    await clerk.visitor.mutate("board.cancel", { orderId: order.id, from: "placed", reason: "A blank page" }),
  );
  await panel.getByText(/^Delet(ing|ed)/).waitFor();
  expect(await panel.getByText("Print asks").count()).toBe(0);
});

test("a question to a student whose answer comes late leaves the question about the next order", async () => {
  const { shopId, clerk } = await shopWithClerk();
  const [first, second] = [await placePages(shopId, A4, A3), await placePages(shopId, A4, A3)];
  const page = await visitBoard(storefront, clerk);
  const release = await delayRequests(page, "**/api/trpc/holds.hold*");
  await page.getByRole("button", { name: `Print: order ${first.number}` }).click();
  await page.getByRole("button", { name: "Ask the student" }).click();
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: `Print: order ${second.number}` }).click();
  const question = page.getByRole("dialog", { name: `Print order ${second.number}` });
  await question.waitFor();
  release();
  await page.getByRole("alert").filter({ hasText: first.number }).waitFor();
  await answersCome(page);
  expect(await question.isVisible()).toBe(true);
});

test("a pack of several orders asks once and says which of them it is about", async () => {
  const { shopId, clerk } = await shopWithClerk();
  const orders = [
    await placePages(shopId, A3),
    await placePages(shopId, A4),
    await placePages(shopId, A4, A3),
  ];
  const page = await visitBoard(storefront, clerk);
  for (const { number } of orders) {
    await orderButton(page, number).focus();
    await press(page, "x");
  }
  await press(page, "p");
  const dialog = page.getByRole("dialog", { name: "Print 3 orders" });
  await dialog.getByRole("listitem").first().waitFor();
  expect(await dialog.getByRole("listitem").allInnerTexts()).toEqual([
    `${orders[0]?.number}: 1 of 1 page is not A4: A3`,
    `${orders[2]?.number}: ${ONE_IS_A3}`,
  ]);
  expect(await dialog.getByRole("button", { name: "Ask the student" }).count()).toBe(0);
  expect(await packAsked(page, () => dialog.getByRole("button", { name: "Fit to A4" }).click())).toBe("");
  for (const { number } of orders) await column(page, "Printing").getByText(number).waitFor();
});
