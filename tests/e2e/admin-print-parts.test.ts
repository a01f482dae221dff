import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { seenByStaff, seenByStudent, uploadPages } from "../factories/orders.ts";
import { numberedPdf } from "../factories/pdfs.numbered.ts";
import { expectDone, priceEntry, shownShop, smallPriceList } from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin, signedInCounter } from "../factories/staff.ts";
import { type OrderToPrint, placeFiles } from "../server/packs.fixtures.ts";
import { expectAccessibleScreen } from "../setup/accessible-screen.ts";
import { openStorefront } from "../setup/storefront.ts";
import { column, focusedNumber, numbersIn, orderButton, press, visitBoard } from "./admin-orders-steps.ts";

const storefront = openStorefront();
const COLOUR = "Part 1 of 2: 2 pages, Colour";
const BLACK = "Part 2 of 2: 7 pages, Black & White";

async function shopWithClerk(): Promise<{ shopId: string; clerk: StaffPerson }> {
  const admin = await signedInAdmin(storefront.store);
  const lists = {
    ...smallPriceList(),
    printedColours: [priceEntry("Colour", 400), priceEntry("Black & White", 100)],
  };
  const { id } = await shownShop(admin.visitor, lists, { offersPickup: true });
  return { shopId: id, clerk: await signedInCounter(storefront.store, [id]) };
}

/** Nine pages, of which two are printed in colour. */
function placeParts(shopId: string): Promise<OrderToPrint> {
  return placeFiles(storefront.store, shopId, [{ name: "Thesis.pdf", bytes: numberedPdf("Thesis", 9) }], {
    parts: [{ pages: { 0: "1-2, 5-9" }, options: { printedColour: "Black & White" } }],
  });
}

const placeWhole = (shopId: string) =>
  placeFiles(storefront.store, shopId, [{ name: "Notes.pdf", bytes: numberedPdf("Notes", 2) }]);

/** The path and query of the next pack that the page asks for. */
async function packAsked(page: Page, act: () => Promise<unknown>): Promise<string> {
  const [request] = await Promise.all([page.waitForRequest(/pack\.pdf/), act()]);
  const { pathname, search } = new URL(request.url());
  return pathname.split("/").at(-2) + search;
}

async function stateOf({ visitor }: StaffPerson, { id }: OrderToPrint): Promise<string> {
  return (await seenByStaff(visitor, id)).state;
}

test("P offers the parts of an order, prints each by its number unless somebody else prints the order, and says which were opened", async () => {
  const { shopId, clerk } = await shopWithClerk();
  const order = await placeParts(shopId);
  const colleague = await signedInCounter(storefront.store, [shopId]);
  const page = await visitBoard(storefront, clerk, { refused: ["board.move"] });
  const dialog = page.getByRole("dialog", { name: `Print order ${order.number}` });
  await orderButton(page, order.number).focus();
  await press(page, "p");
  // Its keys work once it has the focus.
  const focused = dialog.locator("button:focus");
  await focused.getByText(COLOUR).waitFor();
  expect(await dialog.getByRole("button").allInnerTexts()).toEqual([
    "",
    expect.stringContaining(COLOUR),
    expect.stringContaining(BLACK),
    "Done",
  ]);
  await expectAccessibleScreen(page);
  await press(page, "3", "Control+2", "Escape");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => focusedNumber(page)).toBe(order.number);
  expect(page.context().pages()).toHaveLength(1);
  expect(await stateOf(clerk, order)).toBe("placed");

  await press(page, "p");
  await focused.getByText(COLOUR).waitFor();
  const move = async (from: string, to: string) =>
    expectDone(await colleague.visitor.mutate("board.move", { orderId: order.id, from, to }));
  await move("placed", "printing");
  await column(page, "Printing").getByText(order.number).waitFor();
  await press(page, "1");
  await dialog
    .getByText(`${colleague.person.fullName} has already marked order ${order.number} as printing`)
    .waitFor();
  await expect.poll(() => page.context().pages().length).toBe(1);
  await move("printing", "placed");
  await expect.poll(() => numbersIn(column(page, "Placed"))).toContain(order.number);
  await press(page, "Escape");
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => focusedNumber(page)).toBe(order.number);

  await press(page, "p");
  await focused.getByText(COLOUR).waitFor();
  expect(await packAsked(page, () => press(page, "2"))).toBe(`${order.id}?part=2`);
  await dialog.getByRole("button", { name: `${BLACK} (opened)` }).waitFor();
  await column(page, "Printing").getByText(order.number).waitFor();
  expect(await packAsked(page, () => press(page, "1"))).toBe(`${order.id}?part=1`);
  await dialog.getByText("All parts were opened").waitFor();
  expect(await dialog.getByRole("alert").count()).toBe(0);
  await press(page, "Escape");
  await expect.poll(() => focusedNumber(page)).toBe(order.number);
  await expect.poll(() => page.context().pages().length).toBe(3);
  expect(await stateOf(clerk, order)).toBe("printing");
});

test("the table's Print, and the pack button of the open order, offer the parts as well", async () => {
  const { shopId, clerk } = await shopWithClerk();
  const order = await placeParts(shopId);
  const page = await visitBoard(storefront, clerk, { path: "/admin/orders?view=table" });
  const dialog = page.getByRole("dialog", { name: `Print order ${order.number}` });
  await page.getByRole("button", { name: `Print: order ${order.number}` }).dblclick();
  const part = dialog.getByRole("button", { name: COLOUR });
  expect(await packAsked(page, () => part.dblclick())).toBe(`${order.id}?part=1`);
  await dialog.getByRole("button", { name: `${COLOUR} (opened)` }).waitFor();
  await dialog.getByRole("button", { name: "Done" }).click();
  await dialog.waitFor({ state: "detached" });
  await expect.poll(() => page.context().pages().length).toBe(2);

  await orderButton(page, order.number).click();
  const panel = page.getByRole("complementary", { name: `Order ${order.number}` });
  await panel.getByRole("button", { name: "Print pack" }).click();
  await dialog.getByRole("button", { name: `${COLOUR} (opened)` }).waitFor();
  expect(await packAsked(page, () => dialog.getByRole("button", { name: BLACK }).click())).toBe(
    `${order.id}?part=2`,
  );
  await dialog.getByText("All parts were opened").waitFor();
});

test("parts that were opened before a hold are to be printed again, as files may have been replaced", async () => {
  const { shopId, clerk } = await shopWithClerk();
  const files = ["Cover", "Text"].map((name) => ({ name: `${name}.pdf`, bytes: numberedPdf(name, 2) }));
  const parts = [{ pages: { 1: "1-2" }, options: { printedColour: "Black & White" } }];
  const order = await placeFiles(storefront.store, shopId, files, { parts });
  const page = await visitBoard(storefront, clerk);
  const dialog = page.getByRole("dialog", { name: `Print order ${order.number}` });
  const part = dialog.getByRole("button", { name: "Part 2 of 2" });
  await orderButton(page, order.number).focus();
  await press(page, "p");
  await part.waitFor();
  await packAsked(page, () => press(page, "2"));
  await dialog.getByRole("button", { name: "Part 2 of 2: 2 pages, Black & White (opened)" }).waitFor();
  await press(page, "Escape");
  await dialog.waitFor({ state: "detached" });

  const orderId = order.id;
  expectDone(await clerk.visitor.mutate("holds.hold", { orderId, reason: "Page 2 is cut off" }));
  const held = column(page, "Printing").getByText("On hold", { exact: true });
  await held.waitFor();
  const { hold } = await seenByStudent(order.visitor, orderId);
  const fileUrl = await uploadPages(order.visitor, 2);
  const wish = { orderId, holdId: hold.id, files: [{ fileId: order.fileIds[1], fileUrl }] };
  const { after } = expectDone(await order.visitor.query("holds.quote", wish));
  expectDone(await order.visitor.mutate("holds.change", { ...wish, expectedTotalPaise: after.totalPaise }));
  await held.waitFor({ state: "detached" });
  await orderButton(page, order.number).focus();
  await press(page, "p");
  await part.waitFor();
  expect(await part.innerText()).not.toContain("(opened)");
  await press(page, "Escape");
  await dialog.waitFor({ state: "detached" });

  await orderButton(page, order.number).click();
  const { files: inOrder } = await seenByStaff(clerk.visitor, orderId);
  const { name } = inOrder[1];
  await page.getByRole("button", { name, exact: true }).click();
  await page.getByRole("dialog", { name, exact: true }).getByText("Page 1 of 2").waitFor();
});

test("a pack of several orders leaves those with parts out, and says so before it opens", async () => {
  const { shopId, clerk } = await shopWithClerk();
  const orders = [await placeWhole(shopId), await placeParts(shopId), await placeWhole(shopId)];
  const page = await visitBoard(storefront, clerk);
  for (const { number } of orders) {
    await orderButton(page, number).focus();
    await press(page, "x");
  }
  const whole = [orders[0], orders[2]].map((order) => order?.id).join();
  expect(decodeURIComponent(await packAsked(page, () => press(page, "p")))).toBe(whole);
  await page
    .getByText(`Order ${orders[1]?.number} has 2 parts with different printer settings: print it by itself`)
    .waitFor();
  await column(page, "Printing")
    .getByText(orders[2]?.number ?? "")
    .waitFor();
  await column(page, "Placed")
    .getByText(orders[1]?.number ?? "")
    .waitFor();
  await expect.poll(() => page.context().pages().length).toBe(2);
});
