import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { copyOrder, moveTo, type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { shownShop } from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin, signedInCounter } from "../factories/staff.ts";
import { answersCome, openStorefront } from "../setup/storefront.ts";
import { column, numbersIn, orderButton, press, visitBoard } from "./admin-orders-steps.ts";

// A scanner is a keyboard: it types what the code of a ticket says, the link of its order, and Enter.

const storefront = openStorefront();
let clerk: StaffPerson;
let orders: [PlacedOrder, PlacedOrder, PlacedOrder];

beforeAll(async () => {
  const { store } = storefront;
  const { id } = await shownShop((await signedInAdmin(store)).visitor);
  clerk = await signedInCounter(store, [id]);
  const first = await placeOrder(store, id);
  const another = () => placeAnother(first.visitor, first.student, id);
  orders = [first, await another(), await another()];
  await moveTo(clerk.visitor, first.id, "printing");
});

const searchField = (page: Page) => page.getByRole("searchbox", { name: "Search orders" });
const table = (page: Page) => page.getByRole("table", { name: "Orders" });

/** Not by Playwright's keyboard, which is as slow as a person on a busy machine. */
async function scan(page: Page, { id, number }: PlacedOrder): Promise<void> {
  await page.evaluate((code) => {
    for (const key of code) {
      const event = new KeyboardEvent("keydown", { key, bubbles: true, cancelable: true });
      const isTyped = document.activeElement?.dispatchEvent(event) ?? false;
      if (isTyped) document.execCommand("insertText", false, key);
    }
  }, `${storefront.store.url}/admin/orders?order=${id}`);
  await page.keyboard.press("Enter");
  await page.getByRole("complementary", { name: `Order ${number}` }).waitFor();
}

test("ticket after ticket is scanned in the search, and leaves the table as it was filtered", async () => {
  const page = await visitBoard(storefront, clerk, { path: "/admin/orders?view=table&state=printing" });
  await searchField(page).focus();
  for (const order of orders) {
    await scan(page, order);
    await expect.poll(() => searchField(page).inputValue()).toBe("");
  }
  // Nor does a letter that is taken back before the typing pauses.
  await page.clock.install();
  await page.keyboard.press("x");
  await page.keyboard.press("Backspace");
  await page.clock.fastForward(300);
  await answersCome(page);
  expect(await numbersIn(table(page))).toEqual([orders[0].number]);

  // A scan ends a search.
  await searchField(page).fill("nobody");
  await page.getByText("No orders here").waitFor();
  await searchField(page).selectText();
  await scan(page, orders[2]);
  await expect.poll(() => numbersIn(table(page))).toEqual([orders[0].number]);
  expect(await searchField(page).inputValue()).toBe("");
});

test("ticket after ticket is scanned beside the search, and no letter of their links prints, moves or chooses anything", async () => {
  const page = await visitBoard(storefront, clerk);
  for (const order of orders) {
    await orderButton(page, orders[1].number).focus();
    await scan(page, order);
    await column(page, "Placed").waitFor();
  }
  await answersCome(page);
  expect(page.context().pages()).toHaveLength(1);
  expect(await numbersIn(column(page, "Placed"))).toEqual([orders[1].number, orders[2].number]);
});

test("letters act on no order while a dialog is open, wherever the focus is", async () => {
  const page = await visitBoard(storefront, clerk, { path: `/admin/orders?order=${orders[1].id}` });
  await page.getByRole("complementary", { name: `Order ${orders[1].number}` }).waitFor();
  await page.getByRole("button", { name: "New order", exact: true }).click();
  const dialog = page.getByRole("dialog", { name: "New order at the counter" });
  await dialog.waitFor();
  await page.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur());
  await press(page, "m", "p", "x", "t");
  await answersCome(page);
  await dialog.getByRole("button", { name: "Close" }).click();
  await dialog.waitFor({ state: "detached" });
  expect(page.context().pages()).toHaveLength(1);
  expect(await numbersIn(column(page, "Placed"))).toEqual([orders[1].number, orders[2].number]);
  expect(await page.getByText("1 order selected").count()).toBe(0);
});

const SHOWN_CARDS = 20;

test("the board's links lead to the table without the filters of an earlier look at it, and the board ends a search", async () => {
  const printed = { placedAt: "2026-01-01T08:00:00.000Z", state: "printed" } as const;
  await copyOrder(storefront.store, orders[0], Array(SHOWN_CARDS + 1).fill(printed));
  const page = await visitBoard(storefront, clerk, {
    path: "/admin/orders?view=table&reported=true&state=all",
  });
  await page.getByText("No orders here").waitFor();
  await searchField(page).fill(orders[1].student.fullName);
  await page.waitForURL(/search=/);
  await page.getByText("Board", { exact: true }).click();
  await column(page, "Placed").waitFor();
  await expect.poll(() => searchField(page).inputValue()).toBe("");
  expect(new URL(page.url()).searchParams.has("search")).toBe(false);
  await page.getByRole("link", { name: "1 newer order in the table" }).click();
  await expect.poll(async () => (await numbersIn(table(page))).length).toBe(SHOWN_CARDS + 1);
});
