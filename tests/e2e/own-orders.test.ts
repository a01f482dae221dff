import { expect, test } from "vitest";
import { LIST_ROWS } from "#shared/schemas/paging.ts";
import { seenByStudent } from "../factories/orders.ts";
import { copyOrder, moveTo, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { expectDone, priceEntry, shownShop, smallPriceList } from "../factories/shops.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { expectAccessibleScreen, expectNoSidewaysScroll } from "../setup/accessible-screen.ts";
import { delayRequests, openStorefront, tryAgain } from "../setup/storefront.ts";
import { SHOP_ID, visitAs, visitAsStudent } from "./print-steps.ts";

const storefront = openStorefront();

test("a student sees the progress of their orders, the reason of a cancellation, and that the files are deleted", async () => {
  const { visitor: staff } = await signedInAdmin(storefront.store);
  const printed = await placeOrder(storefront.store, SHOP_ID);
  const { visitor, student } = printed;
  const cancelled = await placeAnother(visitor, student, SHOP_ID);
  const placed = await placeAnother(visitor, student, SHOP_ID);
  const sent = await placeAnother(visitor, student, SHOP_ID);
  await moveTo(staff, printed.id, "printed");
  await moveTo(staff, sent.id, "dispatched");
  await staff.mutate("board.cancel", { orderId: cancelled.id, from: "placed", reason: "The toner is empty" });

  const page = await visitAs(storefront, visitor, {}, "/orders");
  const item = (number: string) => page.getByRole("listitem").filter({ hasText: number });
  await item(placed.number).getByText("The shop has your order").waitFor();
  await item(placed.number).getByText("Your file is deleted once printed.").waitFor();
  await item(printed.number)
    .getByText(/^Your file will be deleted on \d.* IST\.$/)
    .waitFor();
  await item(sent.number)
    .getByText(/^Your documents were deleted on \d/)
    .waitFor();
  await item(cancelled.number).getByText("The toner is empty").waitFor();
  await expect.poll(() => item(cancelled.number).getByText("Cancelled").isVisible()).toBe(true);
  await expectAccessibleScreen(page);
  await page.setViewportSize({ width: 320, height: 640 });
  const number = await item(placed.number).getByRole("link").boundingBox();
  const state = await item(placed.number).getByText("The shop has your order").boundingBox();
  expect(
    (state?.x ?? 0) >= (number?.x ?? 0) + (number?.width ?? 0) ||
      (state?.y ?? 0) >= (number?.y ?? 0) + (number?.height ?? 0),
    "the state stands beside or below the number",
  ).toBe(true);

  // The list follows what the shop and the student do.
  await page.clock.setFixedTime(Date.now() + 61_000);
  const asked = page.waitForRequest("**/api/trpc/orders.mine*");
  const hold = { orderId: placed.id, reason: "Page 2 is cut off" };
  expectDone(await staff.mutate("holds.hold", hold));
  await item(placed.number).getByText("On hold, please answer: Page 2 is cut off").waitFor();
  // Nobody has used the page for a minute, so this does not keep a shared computer logged in.
  expect((await asked).headers()["x-background"]).toBe("1");
  const { id: holdId } = (await seenByStudent(visitor, placed.id)).hold;
  expectDone(await visitor.mutate("holds.answer", { orderId: placed.id, holdId, answer: "Print it" }));
  await item(placed.number).getByText("On hold, answered: Page 2 is cut off").waitFor();
  await staff.mutate("board.cancel", { orderId: placed.id, from: "placed", reason: "Out of paper" });
  await item(placed.number).getByText("Out of paper").waitFor();
});

test("older orders are added to the list by a button that is not wider than the list, whatever comes meanwhile", async () => {
  const order = await placeOrder(storefront.store, SHOP_ID);
  const moments = Array.from({ length: LIST_ROWS }, () => ({ placedAt: "2026-01-01T06:30:00.000Z" }));
  await copyOrder(storefront.store, order, moments);
  const page = await visitAs(storefront, order.visitor, { refused: ["orders.mine"] }, "/orders");
  const list = page.getByRole("list", { name: "Your orders" });
  const more = page.getByRole("button", { name: "Show older orders" });
  await more.waitFor();
  await expect.poll(() => list.getByRole("listitem").count()).toBe(LIST_ROWS);
  const listBox = await list.boundingBox();
  expect(await more.boundingBox()).toMatchObject({ x: listBox?.x, width: listBox?.width });
  const older = "**/api/trpc/orders.mine*cursor*";
  const error = { message: "Please wait a minute", code: -32029, data: { appCode: "RATE_LIMITED" } };
  await page.route(older, (route) => route.fulfill({ status: 429, json: [{ error }] }));
  await more.click();
  await page.getByRole("alert").getByText("Please wait a minute").waitFor();
  // News of an order come while they are on their way.
  const release = await delayRequests(page, older);
  await more.click();
  const { visitor: staff } = await signedInAdmin(storefront.store);
  await moveTo(staff, order.id, "printing");
  await list.getByText("Being printed").waitFor();
  release();
  await expect.poll(() => list.getByRole("listitem").count()).toBe(LIST_ROWS + 1);
  await more.waitFor({ state: "detached" });
});

test("long words of a shop and its options do not widen a page beyond a phone", async () => {
  const { store } = storefront;
  const word = "W".repeat(60);
  const lists = { ...smallPriceList(), paperTypes: [priceEntry(word, 30)] };
  const shop = await shownShop((await signedInAdmin(store)).visitor, lists, { shopName: `${word} Prints` });
  const order = await placeOrder(store, shop.id);
  const page = await visitAs(storefront, order.visitor, {}, "/orders");
  await page.getByText(word).waitFor();
  await expectNoSidewaysScroll(page, 390);
  await page.getByRole("link", { name: order.number }).click();
  await page.getByText(word).first().waitFor();
  await expectNoSidewaysScroll(page, 390);
  await page.goto(`/shops?q=${word}`);
  const rating = await page.getByRole("article").getByText("4.2", { exact: true }).boundingBox();
  expect(rating && rating.x + rating.width).toBeLessThan(390);
});

test("orders that fail to load are reported, and can be retried; a student without orders is led to the shops", async () => {
  const { page } = await visitAsStudent(storefront, { refused: ["orders.mine"] }, "/profile");
  const calls = "**/api/trpc/orders.mine*";
  await page.route(calls, (route) => route.abort());
  await page.getByRole("button", { name: "My Account" }).click();
  await page.locator("#account-menu").getByRole("link", { name: "Orders" }).click();
  await page.getByText("Your orders cannot be shown").waitFor();
  await tryAgain(page, calls);
  await page.getByText("You have not ordered yet").waitFor();
  await expectAccessibleScreen(page);
  await page.getByRole("link", { name: "Print something" }).click();
  await page.getByRole("heading", { name: "Print shops near your college" }).waitFor();
});
