import { beforeAll, expect, test } from "vitest";
import { getShop, seenByStudent } from "../factories/orders.ts";
import { type PlacedOrder, placeAnother } from "../factories/placed-orders.ts";
import { priceEntry, shownShop, smallPriceList } from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin, signedInCounter } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import { codeAt, placeAtCounter, visitorAt } from "../factories/visits.ts";
import { openStorefront } from "../setup/storefront.ts";
import { visitBoard } from "./admin-orders-steps.ts";

const storefront = openStorefront();
let shopId: string;
let clerk: StaffPerson;
let order: PlacedOrder;

beforeAll(async () => {
  const { store } = storefront;
  const { visitor: admin } = await signedInAdmin(store);
  const papers = { "70 GSM": 30, Bond: 30, Recycled: 20, "100 GSM": 90 };
  const paperTypes = Object.entries(papers).map(([name, price]) => priceEntry(name, price));
  shopId = (await shownShop(admin, { ...smallPriceList(), paperTypes }, { offersPickup: true })).id;
  clerk = await signedInCounter(store, [shopId]);
  const { visitor, student } = await signedInStudent(store);
  order = await placeAnother(visitor, student, shopId, "pickup");
  await placeAnother(visitor, student, shopId, "pickup");
});

test("paper runs out: two orders are changed with one press, unless it is dearer, their students are asked with another, people at the counter are to be told by the staff, and the last paper goes out only after a warning", async () => {
  const page = await visitBoard(storefront, clerk, { refused: ["stock.setOut"] });
  const menu = page.getByRole("button", { name: "Something has run out" });
  const form = page.getByRole("dialog", { name: "New order at the counter" });
  const proposed = async () => {
    await page.getByRole("button", { name: "New order", exact: true }).click();
    const paper = await form.getByRole("combobox", { name: "Paper type" }).inputValue();
    await form.getByRole("button", { name: "Close" }).click();
    await form.waitFor({ state: "detached" });
    return paper;
  };
  expect(await proposed()).toBe("70 GSM");
  await menu.press("Enter");
  const papers = page.getByRole("group", { name: "Paper type" });
  const focused = page.locator(":focus");
  await papers.getByLabel("70 GSM", { exact: true }).press("Space");
  await papers.getByText("2 orders waiting for it").waitFor();
  await focused.and(papers.getByLabel("70 GSM: out of stock")).waitFor();
  const instead = papers.getByLabel("Print with");
  expect(await instead.locator("option:checked").innerText()).toBe("Bond · ₹0.30 a page");
  await instead.selectOption({ label: "100 GSM · ₹0.90 a page" });
  await papers.getByRole("button", { name: "Change", exact: true }).click();
  await papers.getByRole("status").filter({ hasText: "2 orders would cost more with it" }).waitFor();
  await instead.selectOption({ label: "Bond · ₹0.30 a page" });
  await papers.getByRole("button", { name: "Change", exact: true }).press("Enter");
  await page.getByText("2 orders changed. An email tells each student").waitFor();
  await papers.getByText("waiting for it").waitFor({ state: "detached" });
  await focused.and(papers.getByLabel("70 GSM: out of stock")).waitFor();
  await page.keyboard.press("Escape");
  expect(await proposed()).toBe("Bond");
  await menu.press("Enter");
  const { paperTypes } = await getShop(order.visitor, shopId);
  const own = () => seenByStudent(order.visitor, order.id);
  expect((await own()).options[0].paperTypes).toBe(paperTypes.find(({ name }) => name === "Bond")?._id);

  const mark = (name: string) => papers.getByLabel(name, { exact: true }).click();
  await mark("Bond");
  await papers.getByText("2 orders waiting for it").waitFor();
  await papers.getByRole("button", { name: "Put on hold and ask" }).click();
  await page.getByText("2 orders put on hold. An email asks each student").waitFor();
  expect((await own()).hold.reason).toContain("“Bond” has run out");

  // What an order at the counter waits for.
  await papers.getByLabel("70 GSM: out of stock").click();
  await papers.getByLabel("70 GSM", { exact: true }).waitFor();
  const { store } = storefront;
  const atCounter = await visitorAt(store, shopId, await codeAt(clerk.visitor, shopId));
  await placeAtCounter(atCounter, { shopId });
  await mark("70 GSM");
  await papers.getByText("1 order waiting for it").waitFor();
  await papers.getByRole("button", { name: "Change", exact: true }).click();
  const told = "1 at the counter: please tell them yourself";
  await page.getByText(`1 order changed. ${told}`, { exact: true }).waitFor();

  await mark("Recycled");
  await papers.getByLabel("Recycled: out of stock").waitFor();
  await papers.getByRole("button", { name: "Put on hold and ask" }).click();
  await page.getByText(`1 order put on hold. ${told}`, { exact: true }).waitFor();
  const warning = papers.getByRole("alert").filter({ hasText: "“100 GSM” is the last paper type" });
  await mark("100 GSM");
  await warning.getByRole("button", { name: "Keep it" }).click();
  await warning.waitFor({ state: "detached" });
  await mark("100 GSM");
  await warning.getByRole("button", { name: "Mark it out of stock anyway" }).click();
  await papers.getByLabel("100 GSM: out of stock").waitFor();
  expect((await getShop(order.visitor, shopId)).paperTypes.every(({ isOut }) => isOut)).toBe(true);
  await page.keyboard.press("Escape");
  await papers.waitFor({ state: "detached" });
  await focused.and(menu).waitFor();
  // Nobody forgets what is switched off: each screen shows it.
  await page.goto("/admin/stats");
  await page.getByRole("button", { name: "Something has run out: 4 options switched off" }).waitFor();
});
