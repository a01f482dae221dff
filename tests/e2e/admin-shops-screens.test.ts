import type { Page } from "playwright-core";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { OPTION_KINDS } from "#shared/options.ts";
import type { SeedFileText } from "#shared/schemas/seed.ts";
import {
  editedPrices,
  expectDone,
  newShop,
  priceEntry,
  shownShop,
  smallPriceList,
} from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin } from "../factories/staff.ts";
import {
  expectAccessibleScreen,
  expectAccessibleStates,
  type ScreenStates,
} from "../setup/accessible-screen.ts";
import { sessionOf } from "../setup/browser.ts";
import { openStorefront } from "../setup/storefront.ts";
import { openScreen } from "./admin-steps.ts";

const storefront = openStorefront();
let admin: StaffPerson;
beforeAll(async () => {
  admin = await signedInAdmin(storefront.store);
  // A long list has no other cells than a short one.
  const printedColours = [
    priceEntry("Greyscale", 50),
    priceEntry("Colour", 400, { inColour: true }),
    priceEntry("Colour on every page, the pictures too", 600, { inColour: true, active: false }),
  ];
  const bindingOptions = [
    priceEntry("No Binding", 0, { basis: "copy" }),
    priceEntry("Spiral Binding", 3500, { basis: "copy" }),
  ];
  const lists = { ...smallPriceList(), printedColours, bindingOptions };
  await shownShop(admin.visitor, lists, { id: "short-list-prints" });
});
/** The console of all tests. */
const tab = storefront.visitOnce("/admin/orders", () => ({
  ...sessionOf(admin.visitor),
  refused: ["seeding.write"],
}));

async function open(path: string): Promise<Page> {
  const page = tab();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "detached" });
  await openScreen(page, path);
  return page;
}

const SHOP = "/admin/shops/short-list-prints";
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

const choose = (name: string, text: string) => (page: Page) =>
  page.locator("input[type=file]").setInputFiles({ name, mimeType: "text/plain", buffer: Buffer.from(text) });

async function badImport(page: Page) {
  await press("Import")(page);
  await choose("bad.csv", "List,Option,Price\nGlue,x,1")(page);
  await page.getByRole("alert").waitFor();
}

async function goodImport(page: Page) {
  await choose("good.csv", "List,Option,Price\nBinding,Wire,10")(page);
  await page.getByRole("list", { name: "Changes in Binding" }).waitFor();
}

/** The step after the open dialog is closed. */
function afterDialog(step: (page: Page) => Promise<unknown>) {
  return async (page: Page) => {
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await step(page);
  };
}

/** Every stable state of every screen, each reached from the one before. */
const SCREENS: [string, ScreenStates][] = [
  [
    "/admin/shops",
    [
      ["the shops", (page) => page.getByRole("list", { name: "Shops" }).waitFor()],
      ["closing a shop", press(/^Close /)],
    ],
  ],
  ["/admin/shops/new", [["a new shop", press("Create shop")]]],
  [
    SHOP,
    [
      ["a shop", (page) => page.getByText("Students see this shop.").waitFor()],
      ["deleting a shop", press("Delete")],
    ],
  ],
  [
    PRICES,
    [
      ["a price list with an open sample job", (page) => page.locator("summary").first().click()],
      ["raising prices", press("Raise prices")],
      ["copying from a shop", afterDialog(press("Copy from a shop"))],
      ["a bad import", afterDialog(badImport)],
      ["a good import", goodImport],
      ["wrong cells", afterDialog(wrongCells)],
      ["changes", changes],
    ],
  ],
  [
    "/admin/seeding",
    [
      ["the seed file", (page) => page.getByRole("heading", { name: "Seed file" }).waitFor()],
      ["a seed file with faults", choose("shops.json", '{"shops":[{"id":"x"}]}')],
    ],
  ],
];

test.each(SCREENS)("%s fits a shop PC and a phone, and passes axe", async (path, states) => {
  await expectAccessibleStates(await open(path), states);
});

test("a seed file is previewed, applied with a click, and then has no more changes until an option is missing in it; an export names what it leaves out", async () => {
  const page = await open("/admin/seeding");
  const { file } = expectDone(await admin.visitor.query("seeding.export"));
  const { id, shopName } = newShop();
  file.shops.push({ ...file.shops[0], id, shopName });
  await choose("shops.json", JSON.stringify(file))(page);
  await page.getByRole("heading", { name: "What will change" }).waitFor();
  const cellsOf = (name: string) =>
    page.getByRole("row").filter({ hasText: name }).locator("th, td").allInnerTexts();
  const cells = () => cellsOf(shopName);
  const { shops } = file as SeedFileText;
  const lists = OPTION_KINDS.map((kind) => shops[0]?.[kind] ?? []);
  expect(await cells()).toEqual([shopName, "New", String(lists.flat().length), "0", "0"]);
  await expectAccessibleScreen(page);

  // Somebody else changes a shop of it meanwhile: what will change now is shown, and then imported.
  const { id: shopId, shopName: changed, paperTypes: papers } = file.shops[0];
  const dearer = await editedPrices(admin.visitor, shopId, ({ paperTypes }) => ({
    paperTypes: paperTypes.map((entry) => ({ ...entry, pricePaise: entry.pricePaise + 5 })),
  }));
  expectDone(await admin.visitor.mutate("prices.save", dearer));
  const importIt = page.getByRole("button", { name: "Import the file" });
  await importIt.click();
  await page.getByText(`because this was saved since the preview: ${changed}`).waitFor();
  const count = String(papers.length);
  await expect.poll(() => cellsOf(changed)).toEqual([changed, "Unchanged", "0", count, "0"]);
  await importIt.click();
  await page.getByRole("heading", { name: "What changed" }).waitFor();
  await choose("shops.json", JSON.stringify(file))(page);
  await page.getByText("The store already matches the file.").waitFor();
  const { bindingOptions, ...others } = file.shops.at(-1);
  file.shops = [...file.shops.slice(0, -1), { ...others, bindingOptions: bindingOptions.slice(0, -1) }];
  await choose("shops.json", JSON.stringify(file))(page);
  await expect.poll(cells).toEqual([shopName, "Unchanged", "0", "0", "1"]);
  expect(await page.getByRole("button", { name: "Import the file" }).isEnabled()).toBe(true);

  const bare = newShop();
  expectDone(await admin.visitor.mutate("shops.admin.create", bare));
  const removeBare = () => admin.visitor.mutate("shops.admin.remove", { shopId: bare.id });
  onTestFinished(() => void removeBare());
  await page.getByRole("button", { name: "Download shops.json" }).click();
  await page.getByText(`Left out, because an import would refuse them: ${bare.shopName}`).waitFor();
  expectDone(await removeBare());
  const list = (await storefront.store.visitor().get("/api/v1/prints/shopslocation")).body.data;
  expect(list).toHaveLength(file.shops.length);
});

test("a seed file that is too large for the console is refused with the command that loads it", async () => {
  const refused = ["seeding.preview"];
  const page = await storefront.visit("/admin/seeding", { ...sessionOf(admin.visitor), refused });
  const [shop] = expectDone(await admin.visitor.query("seeding.export")).file.shops;
  const shops = Array.from({ length: 1000 }, (_, index) => ({ ...shop, id: `shop-${index}` }));
  await choose("shops.json", JSON.stringify({ shops }))(page);
  await page.getByText("The request is larger than 1 MB").waitFor();
  await page.getByText("npm run seed -- FILE").waitFor();
});

test("selecting a shop in the header filters the list to it", async () => {
  const page = await open("/admin/shops?shop=deccan-sheets");
  const rows = page.getByRole("list", { name: "Shops" }).getByRole("listitem");
  await rows.first().waitFor();
  await expect.poll(() => rows.count()).toBe(1);
});

test("whoever comes back from a shop finds the list of shops as it was searched", async () => {
  const page = await open("/admin/shops");
  const rows = page.getByRole("list", { name: "Shops" }).getByRole("listitem");
  await page.getByLabel("Find a shop").fill("kharagpur");
  await expect.poll(() => rows.count()).toBe(1);
  await page.getByRole("link", { name: "Red Soil Prints", exact: true }).click();
  await page.getByRole("heading", { level: 1, name: "Red Soil Prints" }).waitFor();
  await page.goBack();
  await rows.first().waitFor();
  expect([await page.getByLabel("Find a shop").inputValue(), await rows.count()]).toEqual(["kharagpur", 1]);
  // A single shop is not searched for.
  await openScreen(page, "/admin/shops?shop=deccan-sheets&search=kharagpur");
  await rows.filter({ hasText: "Deccan Sheets" }).waitFor();
});

test("selecting another shop in the header opens its prices, unless there are unsaved changes", async () => {
  const page = await open(PRICES);
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
  await expect.poll(() => price.inputValue()).toBe("9.00");
  await expect.poll(() => new URL(page.url()).pathname).toBe("/admin/shops/deccan-sheets/prices");
});
