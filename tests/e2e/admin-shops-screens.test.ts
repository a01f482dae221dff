import type { Page } from "playwright-core";
import { beforeAll, expect, test } from "vitest";
import { readDemoShops } from "#db/seed/seed.ts";
import { expectDone, newShop } from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin } from "../factories/staff.ts";
import { expectAccessibleScreen } from "../setup/accessible-screen.ts";
import { sessionOf } from "../setup/staff-console.ts";
import { openStorefront } from "../setup/storefront.ts";

const storefront = openStorefront();
let admin: StaffPerson;
beforeAll(async () => {
  admin = await signedInAdmin(storefront.store);
});

const SHOP = "/admin/shops/red-soil-prints";
const PRICES = `${SHOP}/prices`;

const press = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click();

async function wrongCells(page: Page) {
  await page.getByRole("textbox", { name: "Price in rupees of Colour, Printed colour" }).fill("lots");
  await press("Save prices")(page);
  await page.getByRole("textbox", { name: "Name of Colour, Printed colour" }).focus();
  await page.getByText("Not saved: Enter rupees, such as 12.50").waitFor();
}

async function changes(page: Page) {
  await page.getByRole("textbox", { name: "Price in rupees of Colour, Printed colour" }).fill("9");
  await page.getByRole("button", { name: /^Remove Greyscale/ }).click();
  await press("See changes")(page);
}

async function badImport(page: Page) {
  await press("Import")(page);
  const file = { name: "bad.csv", mimeType: "text/csv", buffer: Buffer.from("List,Option,Price\nGlue,x,1") };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByRole("alert").waitFor();
}

async function goodImport(page: Page) {
  await press("Import")(page);
  const text = "List,Option,Price\nBinding,Wire,10";
  const file = { name: "good.csv", mimeType: "text/csv", buffer: Buffer.from(text) };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByRole("list", { name: "Changes in Binding" }).waitFor();
}

async function chooseSeed(page: Page, text: string) {
  const file = { name: "shops.json", mimeType: "application/json", buffer: Buffer.from(text) };
  await page.locator("input[type=file]").setInputFiles(file);
}

/** Every stable state of every screen: its path, and the steps that lead to the state. */
const SCREENS: [string, string, (page: Page) => Promise<unknown>][] = [
  ["the shops", "/admin/shops", (page) => page.getByRole("list", { name: "Shops" }).waitFor()],
  ["closing a shop", "/admin/shops", press(/^Close /)],
  ["a new shop", "/admin/shops/new", press("Create shop")],
  ["a shop", SHOP, (page) => page.getByText("Students see this shop.").waitFor()],
  ["deleting a shop", SHOP, press("Delete")],
  ["a price list", PRICES, (page) => page.getByRole("list", { name: "Binding", exact: true }).waitFor()],
  ["wrong cells", PRICES, wrongCells],
  ["changes", PRICES, changes],
  ["raising prices", PRICES, press("Raise prices")],
  ["copying from a shop", PRICES, press("Copy from a shop")],
  ["a bad import", PRICES, badImport],
  ["a good import", PRICES, goodImport],
  ["a sample job", PRICES, (page) => page.locator("summary").first().click()],
  ["the seed file", "/admin/seeding", (page) => page.getByText("Export").waitFor()],
  ["a seed file with faults", "/admin/seeding", (page) => chooseSeed(page, '{"shops":[{"id":"x"}]}')],
];

test.each(SCREENS)("%s fits a shop PC and a phone, and passes axe", async (_, path, reach) => {
  const page = await storefront.visit(path, sessionOf(admin.visitor));
  await reach(page);
  await expectAccessibleScreen(page);
});

test("a seed file is previewed, applied with a click, and then has no more changes", async () => {
  const page = await storefront.visit("/admin/seeding", sessionOf(admin.visitor));
  const { file } = expectDone(await admin.visitor.query("seeding.export"));
  const { id, shopName } = newShop();
  file.shops.push({ ...file.shops[0], id, shopName });
  await chooseSeed(page, JSON.stringify(file));
  await page.getByRole("heading", { name: "What will change" }).waitFor();
  const row = page.getByRole("row").filter({ hasText: shopName });
  expect((await row.innerText()).split(/\s*\t\s*/).slice(0, 2)).toEqual([shopName, "New"]);
  await expectAccessibleScreen(page);

  await page.getByRole("button", { name: "Import the file" }).click();
  await page.getByRole("heading", { name: "What changed" }).waitFor();
  await chooseSeed(page, JSON.stringify(file));
  await page.getByText("The store already matches the file.").waitFor();
  const list = (await storefront.store.visitor().get("/api/v1/prints/shopslocation")).body.data;
  expect(list).toHaveLength(readDemoShops().shops.length + 1);
});

test("selecting a shop in the header filters the list to it", async () => {
  const page = await storefront.visit("/admin/shops?shop=deccan-sheets", sessionOf(admin.visitor));
  const rows = page.getByRole("list", { name: "Shops" }).getByRole("listitem");
  await rows.first().waitFor();
  expect(await rows.count()).toBe(1);
});

test("selecting another shop in the header opens its prices, unless there are unsaved changes", async () => {
  const page = await storefront.visit(PRICES, sessionOf(admin.visitor));
  const choose = async (shop: string) => {
    await page.getByRole("combobox", { name: "Shop" }).fill(shop);
    await page.getByRole("option", { name: new RegExp(shop) }).click();
  };
  await choose("Deccan Sheets");
  await page.getByRole("heading", { level: 1, name: "Deccan Sheets" }).waitFor();
  const price = page.getByRole("textbox", { name: "Price in rupees of Colour, Printed colour" });
  await price.fill("9");
  await choose("Red Soil Prints");
  await page.getByRole("dialog").getByRole("button", { name: "Stay" }).click();
  expect(await price.inputValue()).toBe("9.00");
  expect(new URL(page.url()).pathname).toBe("/admin/shops/deccan-sheets/prices");
});
