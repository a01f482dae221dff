import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { addDays, indianDay } from "#shared/indian-time.ts";
import type { ShopForm } from "#shared/schemas/shop-admin.ts";
import { copyOrder, type PlacedOrder, placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { shownShop } from "../factories/shops.ts";
import { type StaffPerson, shopIds, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { expectAccessibleScreen } from "../setup/accessible-screen.ts";
import { sessionOf } from "../setup/browser.ts";
import { openStorefront } from "../setup/storefront.ts";
import { openScreen } from "./admin-steps.ts";

const storefront = openStorefront();
let shop: ShopForm;
let admin: StaffPerson;
beforeAll(async () => {
  const { store } = storefront;
  admin = await signedInAdmin(store);
  shop = await shownShop(admin.visitor);
  const order = await placeOrder(store, shop.id);
  await placeAnother(order.visitor, order.student, shop.id);
  const [other = ""] = await shopIds(store);
  const elsewhere = await placeAnother(order.visitor, order.student, other);
  await placeLastSpring(order, elsewhere);
});

/** Places orders on two otherwise empty days, one at another shop. */
async function placeLastSpring(order: PlacedOrder, elsewhere: PlacedOrder): Promise<void> {
  await copyOrder(storefront.store, order, [
    { placedAt: "2026-03-30T06:30:00.000Z" },
    { placedAt: "2026-03-31T06:30:00.000Z" },
    { placedAt: "2026-03-31T07:30:00.000Z" },
    { placedAt: "2026-03-31T07:40:00.000Z", state: "cancelled" },
  ]);
  await copyOrder(storefront.store, elsewhere, [{ placedAt: "2026-03-31T08:30:00.000Z" }]);
}

const sumOf = (page: Page, name: string) =>
  page.locator("dl > div").filter({ has: page.getByText(name, { exact: true }) });

/** The name and the rows of a table's CSV. */
async function download(page: Page, table: "days" | "shops" | "options"): Promise<string[]> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: `Export ${table} as CSV` }).click(),
  ]);
  return [file.suggestedFilename(), ...(await readFile(await file.path(), "utf8")).split("\r\n")];
}

test("the stats of a period are shown and can be exported as CSV, of one shop too", async () => {
  const page = await storefront.visit("/admin/orders", sessionOf(admin.visitor));
  await page.getByRole("link", { name: "Stats" }).click();
  await sumOf(page, "Orders").getByText("3", { exact: true }).waitFor();
  await page.getByRole("list", { name: "Revenue by day" }).waitFor();
  await page.getByRole("region", { name: "By shop" }).getByText("Shops as a table").click();
  const byOption = page.getByRole("region", { name: "By option" });
  const widths = await byOption
    .locator("ol")
    .evaluateAll((lists) =>
      lists.map((list) =>
        [...list.children].map((bar) =>
          Number.parseFloat((bar.firstElementChild as HTMLElement).style.width),
        ),
      ),
    );
  expect(widths.some(([first = 0, second = first]) => first > second)).toBe(true);
  expect(widths).toEqual(widths.map((list) => list.toSorted((one, other) => other - one)));
  await byOption.getByText("Options as a table").click();
  await expectAccessibleScreen(page);

  await openScreen(page, `/admin/stats?shop=${shop.id}`);
  await sumOf(page, "Orders").getByText("2", { exact: true }).waitFor();
  // Each order has 3 pages on 2 sheets, in 2 copies.
  expect(await download(page, "options")).toEqual(
    expect.arrayContaining([
      "\uFEFFList,Option,Orders,Pages,Sheets,Amount in rupees",
      "Binding,Spiral,2,12,8,140.00",
    ]),
  );
  await page.getByLabel("From").fill("2026-03-29");
  await page.getByLabel("To", { exact: true }).fill("2026-03-31");
  await page.getByRole("radiogroup", { name: "Measure shown in the charts" }).getByText("Orders").click();
  await sumOf(page, "Orders").getByText("3", { exact: true }).waitFor();
  const byDay = page.getByRole("region", { name: "By day" });
  await byDay.getByText("Sun, 29 Mar 2026 to Tue, 31 Mar 2026").waitFor();
  const bars = byDay.getByRole("list", { name: "Orders by day" }).getByRole("listitem");
  await expect
    .poll(() => bars.allTextContents())
    .toEqual([
      expect.stringContaining("Sun, 29 Mar 2026: 0"),
      expect.stringContaining("Mon, 30 Mar 2026: 1"),
      expect.stringContaining("Tue, 31 Mar 2026: 2"),
    ]);
  const heights = await bars.evaluateAll((days) =>
    days.map((day) => (day.firstElementChild as HTMLElement).offsetHeight),
  );
  expect(heights).toEqual([
    0,
    expect.closeTo((heights[2] ?? 0) / 2, -1),
    expect.toSatisfy((height) => height > 100),
  ]);
  const tiles = page.locator("dl > div");
  expect(await tiles.allInnerTexts()).toEqual([
    "Revenue\n₹279.00",
    "Orders\n3",
    "Pages\n18",
    "Sheets\n12",
    "Cancelled orders\n1",
  ]);
  await byDay.getByText("Days as a table").click();
  expect(await byDay.getByRole("row").last().locator("td").allInnerTexts()).toEqual([
    ...["Tue, 31 Mar 2026", "2", "12", "8", "₹186.00", "1"],
  ]);
  expect(await download(page, "days")).toEqual([
    "stats-days-2026-03-29-to-2026-03-31.csv",
    "\uFEFFDay,Orders,Pages,Sheets,Revenue before refunds in rupees,Cancelled orders",
    "2026-03-29,0,0,0,0.00,0",
    "2026-03-30,1,6,4,93.00,0",
    "2026-03-31,2,12,8,186.00,1",
    "",
  ]);
  await openScreen(page, "/admin/stats?fromDay=2026-03-29&untilDay=2026-03-31&measure=orders");
  const byShop = page.getByRole("region", { name: "By shop" }).locator("ol > li > :last-child");
  await expect.poll(() => byShop.allInnerTexts()).toEqual(["3", "1"]);
  expect(await download(page, "shops")).toEqual(
    expect.arrayContaining([
      "stats-shops-2026-03-29-to-2026-03-31.csv",
      "\uFEFFShop,Location,Orders,Pages,Sheets,Revenue before refunds in rupees,Cancelled orders",
      `${shop.shopName},"${shop.shopLocation}",3,18,12,279.00,1`,
    ]),
  );
  await page.goBack();

  await page.reload();
  await expect.poll(() => page.getByRole("radio", { name: "Orders" }).isChecked()).toBe(true);
  await byDay.getByText("Sun, 29 Mar 2026 to Tue, 31 Mar 2026").waitFor();
  await page.getByRole("radiogroup", { name: "Period" }).getByText("7 days").click();
  await sumOf(page, "Orders").getByText("2", { exact: true }).waitFor();
  const today = indianDay(storefront.store.deps.now());
  expect(await page.getByLabel("From").inputValue()).toBe(addDays(today, -6));
});

test("an owner sees the stats of their own shop, and a message for days without orders", async () => {
  const owner = await signedInOwner(storefront.store, [shop.id]);
  const page = await storefront.visit("/admin/stats?period=today", sessionOf(owner.visitor));
  await sumOf(page, "Orders").getByText("2", { exact: true }).waitFor();
  expect(await page.getByRole("region", { name: "By shop" }).count()).toBe(0);

  const tomorrow = addDays(indianDay(storefront.store.deps.now()), 1);
  await page.getByLabel("To", { exact: true }).fill(tomorrow);
  await page.getByLabel("From").fill(tomorrow);
  await page.getByText("No orders in this period").waitFor();
  await expectAccessibleScreen(page);
});
