import type { Locator, Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { addDays, indianDay, weekdayOf } from "#shared/indian-time.ts";
import { formatPaise } from "#shared/money.ts";
import { WEEKDAYS } from "#shared/opening-hours.ts";
import { mapKinds } from "#shared/options.ts";
import { MAX_PHOTO_BYTES, PHOTO_TOO_LARGE } from "#shared/photos.ts";
import { mailsTo, shopEmailLink } from "../factories/mails.ts";
import { getShop, orderFor } from "../factories/orders.ts";
import { twoColours } from "../factories/photos.ts";
import {
  editedPrices,
  expectDone,
  newShop,
  priceEntry,
  pricesOf,
  shownShop,
  smallPriceList,
} from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin, signedInOwner } from "../factories/staff.ts";
import { signedInStudent } from "../factories/students.ts";
import { expectNoSidewaysScroll } from "../setup/accessible-screen.ts";
import { sessionOf } from "../setup/browser.ts";
import { answersCome, openStorefront } from "../setup/storefront.ts";
import { cell, namesIn, pasteInto, savePrices } from "./admin-shops-steps.ts";
import { openScreen } from "./admin-steps.ts";

const storefront = openStorefront();
const SHOP = "Clock Tower Copies";
const SHOP_ID = "clock-tower-copies";

const asStaff = async (path: string, staff: StaffPerson) => storefront.visit(path, sessionOf(staff.visitor));

/** Fills in the form of a new shop, including a photo. */
async function fillShop(page: Page) {
  await page.getByRole("textbox", { name: "Name" }).fill(SHOP);
  await page.getByLabel("Page address").focus();
  await page.getByLabel("Location").fill("Clock Tower, Dehradun, Uttarakhand");
  await page.getByLabel("College").fill("Forest Research Institute");
  await page.getByLabel("Cost per page").fill("₹ 1.25");
  await page.getByLabel("Rating").fill("4.4");
  await page.getByLabel("Email for orders").fill("orders@clock-tower.example");
  await page.getByLabel("Contact number").fill("+91 00000 00077");
  await dropPicture(page, await twoColours().jpeg().toBuffer());
  await page.getByRole("button", { name: "Choose another picture" }).waitFor();
}

/** Drops a picture of this size on its field. */
async function dropPicture(page: Page, content: Buffer, size = content.length): Promise<void> {
  await page.getByText("or drop one here").evaluate(
    (place, { start, size }) => {
      const bytes = new Uint8Array(size);
      bytes.set(start);
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([bytes], "front.jpg", { type: "image/jpeg" }));
      for (const kind of ["dragover", "drop"]) {
        place.dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
      }
    },
    { start: [...content], size },
  );
}

/** Fills in all price lists by keyboard alone, starting in the first cell. */
const KEYS = [["Black & White", "0.5"], ["Colour", "4.25"], null, ["Single side", "0.45"], null];

async function typeFirstLists(page: Page) {
  await cell(page, "Printed colour", "Name").focus();
  for (const entry of KEYS) {
    if (!entry) {
      await page.keyboard.press("Enter");
      continue;
    }
    const [name = "", price = ""] = entry;
    await page.keyboard.type(name);
    await page.keyboard.press("Tab");
    await page.keyboard.type(price);
    await page.keyboard.press("Enter");
  }
}

test("staff create a shop with its photo and prices, and students see it once it is shown", async () => {
  const admin = await signedInAdmin(storefront.store);
  const { visitor } = await signedInStudent(storefront.store);
  const page = await asStaff("/admin/shops/new", admin);
  await fillShop(page);
  await expect.poll(() => page.getByLabel("Page address").inputValue()).toBe(SHOP_ID);
  const card = page.getByRole("complementary", { name: "The card that students see" });
  await card.getByRole("heading", { name: SHOP }).waitFor();
  await expect.poll(() => card.getByRole("article").innerText()).toContain("₹1.25 per page");
  await page.getByRole("button", { name: "Create shop" }).click();
  await page.waitForURL(`**/admin/shops/${SHOP_ID}/prices`);

  await page.getByRole("button", { name: "Start with an empty table" }).click();
  await typeFirstLists(page);
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
    .toBe("Name of a new option, Paper type");
  await pasteInto(page, "Printing side", "Both sides\t0.2\tpage\tboth\tyes");
  await pasteInto(
    page,
    "Paper type",
    "Option\tPrice\tPer\n70 GSM Copier\t₹0.30\tper sheet\n70 GSM Bond\t0.55\tsheet\n",
  );
  await pasteInto(page, "Paper size", "A4\t0");
  await pasteInto(page, "Cover", "No Cover\t0\tcopy\nCard\t9/-\tcopy\tno");
  await pasteInto(page, "Binding", "No Binding\t0\tcopy\nSpiral\t35.00\tcopy");
  await savePrices(page);

  await page.getByRole("link", { name: "Details" }).click();
  await page.getByRole("button", { name: "Show to students" }).click();
  await page.getByText("Students see this shop.").waitFor();

  const student = await storefront.visit("/shops", sessionOf(visitor));
  const tile = student.getByRole("article").filter({ hasText: SHOP });
  await expect.poll(() => tile.innerText()).toContain("Clock Tower, Dehradun, Uttarakhand");
  const picture = tile.locator("img");
  await expect.poll(() => picture.getAttribute("src")).toMatch(/^\/shop-photos\/[0-9a-f]{32}\.webp$/);
  expect(
    await picture.evaluate((img: HTMLImageElement) => img.decode().then(() => img.naturalWidth)),
  ).toBeGreaterThan(0);
  await tile.getByRole("link", { name: SHOP }).click();
  const binding = student
    .getByRole("radio", { name: /Spiral/ })
    .or(student.getByRole("option", { name: /Spiral/ }));
  await binding.first().waitFor({ state: "attached" });
  expect(await student.getByText("Spiral · ₹35.00 a copy").count()).toBeGreaterThan(0);
  expect(await student.getByText(/^Card/).count()).toBe(0);
});

test("an email for orders that is not confirmed is shown until its mailed link is opened, which can be sent again", async () => {
  const { store } = storefront;
  const admin = await signedInAdmin(store);
  const { id, shopName, email } = await shownShop(admin.visitor);
  const page = await storefront.visit(`/admin/shops/${id}`, sessionOf(admin.visitor));
  const notice = page.getByRole("alert").filter({ hasText: "The email for orders is not confirmed yet" });
  await expect.poll(() => notice.innerText()).toContain("Orders are not mailed yet.");
  await notice.getByRole("button", { name: "Send the link again" }).dblclick();
  await page.getByText(`The link is sent to ${email}`).waitFor();
  expect(await mailsTo(store, email)).toHaveLength(2);

  const mailed = await storefront.visit(await shopEmailLink(store, email), { refused: ["/shop-email"] });
  await mailed.getByRole("heading", { name: `Is ${email} the email of ${shopName}?` }).waitFor();
  for (const width of [390, 1280]) await expectNoSidewaysScroll(mailed, width);
  await mailed.getByRole("button", { name: "Yes, mail orders here" }).dblclick();
  await mailed.getByRole("heading", { name: "The email is confirmed" }).waitFor();

  // Confirmed elsewhere, it needs no further link.
  await notice.getByRole("button", { name: "Send the link again" }).click();
  await notice.waitFor({ state: "detached" });
  expect((await mailsTo(store, email)).filter(({ kind }) => kind === "shop-email-confirm")).toHaveLength(2);

  await page.getByLabel("Email for orders").fill(`moved-${email}`);
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => notice.innerText()).toContain(`Orders are still mailed to ${email}.`);
});

test("the owner of a new shop is led through its first price list, and the shop takes orders, or stays hidden if the owner says so", async () => {
  const { store } = storefront;
  const admin = await signedInAdmin(store);
  const [shop, hidden] = [newShop(), newShop()];
  for (const each of [shop, hidden]) expectDone(await admin.visitor.mutate("shops.admin.create", each));
  const owner = await signedInOwner(store, [shop.id, hidden.id]);
  const page = await asStaff("/admin/shops", owner);
  await page.getByRole("link", { name: `Set prices of ${shop.shopName}` }).click();
  await page.getByRole("heading", { name: "Your first price list" }).waitFor();
  const binding = page.getByRole("group", { name: "Binding" });
  await binding.getByLabel("Price of Spiral binding in rupees").fill("forty");
  await page.getByRole("group", { name: "Paper size" }).getByRole("checkbox", { name: "A4" }).uncheck();
  const save = page.getByRole("button", { name: "Save and take orders" });
  await save.click();
  await page.getByText("Paper size needs at least one option that is on").waitFor();
  await page.getByRole("checkbox", { name: "A4" }).check();
  await save.click();
  await binding.getByText("Enter rupees, such as 12.50").waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("aria-label"));
  await expect.poll(focused).toBe("Price of Spiral binding in rupees");
  await page.getByText("Each list needs at least one option with a price.").waitFor();
  await binding.getByLabel("Price of Spiral binding in rupees").fill("40");
  await binding.getByRole("checkbox", { name: "Corner staple" }).uncheck();
  const sample = await page.getByText(/^With these prices .* cost ₹[\d.]+, delivered\.$/).innerText();
  await save.dblclick();
  await page.getByText(`Students see ${shop.shopName} and can order now`).waitFor();
  await expect.poll(() => namesIn(page, "Binding")).toEqual(["No binding", "Spiral binding"]);
  const { version, lists } = await pricesOf(owner.visitor, shop.id);
  expect(mapKinds((kind) => lists[kind].map(({ id, ...entry }) => entry))).toEqual({
    printedColours: [priceEntry("Black & White", 100), priceEntry("Colour", 800, { inColour: true })],
    printingSides: [priceEntry("Single side", 50), priceEntry("Both sides", 0, { sides: 2 })],
    paperTypes: [priceEntry("70 GSM", 50, { basis: "sheet" })],
    paperSizes: [priceEntry("A4", 0)],
    coverOptions: [priceEntry("No cover", 0, { basis: "copy" })],
    bindingOptions: [
      priceEntry("No binding", 0, { basis: "copy" }),
      priceEntry("Spiral binding", 4000, { basis: "copy" }),
    ],
  });
  const { visitor } = await signedInStudent(store);
  const { samplePaise } = expectDone(await owner.visitor.query("shops.admin.byId", { shopId: shop.id }));
  expect(sample).toContain(` ${formatPaise(samplePaise)},`);
  const placed = await visitor.post(
    "/api/v1/prints/printorder",
    await orderFor(visitor, { shopId: shop.id }),
  );
  expect([placed.status, version]).toEqual([200, 1]);

  await openScreen(page, `/admin/shops/${hidden.id}/prices`);
  await page.getByRole("checkbox", { name: "Show the shop to students, who can then order" }).uncheck();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText("The prices are saved").waitFor();
  const shown = (await visitor.get("/api/v1/prints/shopslocation")).body.data as { _id: string }[];
  expect(shown.map(({ _id }) => _id).filter((id) => [shop.id, hidden.id].includes(id))).toEqual([shop.id]);
});

test("a first price list that another owner saves first is not lost: it can be applied to theirs", async () => {
  const { store } = storefront;
  const shop = newShop();
  expectDone(await (await signedInAdmin(store)).visitor.mutate("shops.admin.create", shop));
  const owner = await signedInOwner(store, [shop.id]);
  const other = await signedInOwner(store, [shop.id]);
  const page = await storefront.visit(`/admin/shops/${shop.id}/prices`, {
    ...sessionOf(owner.visitor),
    refused: ["prices.save"],
    viewport: { width: 390, height: 844 },
  });
  const binding = page.getByRole("group", { name: "Binding" });
  await binding.getByLabel("Price of Spiral binding in rupees").fill("40");
  const lists = { ...smallPriceList(), coverOptions: [priceEntry("No cover", 0, { basis: "copy" })] };
  const theirs = { shopId: shop.id, version: 0, lists };
  expectDone(await other.visitor.mutate("prices.save", theirs));
  await page.getByRole("button", { name: "Save and take orders" }).click();
  const conflict = page.getByText(`${other.person.fullName} saved this price list while you were editing it`);
  await conflict.waitFor();
  const fromTop = () => conflict.evaluate((text) => text.getBoundingClientRect().top);
  // The list is longer than a phone.
  await expect.poll(fromTop).toBeGreaterThan(0);
  expect(await fromTop()).toBeLessThan(844);
  await page.getByRole("button", { name: "Apply my changes to theirs" }).click();
  await savePrices(page);
  const { bindingOptions } = (await pricesOf(owner.visitor, shop.id)).lists;
  expect(bindingOptions.map(({ name, pricePaise }) => [name, pricePaise])).toEqual(
    expect.arrayContaining([
      ["Spiral", 3500],
      ["Spiral binding", 4000],
    ]),
  );
});

test("a student who returns to the page sees a changed price, and an order keeps its own", async () => {
  const admin = await signedInAdmin(storefront.store);
  const { visitor } = await signedInStudent(storefront.store);
  const shopId = "ridge-road-copies";
  const placed = await visitor.post("/api/v1/prints/printorder", await orderFor(visitor, { shopId }));
  expect(placed.status).toBe(200);
  const student = await storefront.visit(`/printnow?id=${shopId}`, sessionOf(visitor));
  await student.clock.install();
  const colour = student.getByText("Colour · ₹", { exact: false }).first();
  await colour.waitFor({ state: "attached" });

  const page = await asStaff(`/admin/shops/${shopId}/prices`, admin);
  await page.getByRole("textbox", { name: "Price in rupees of Colour, Printed colour" }).fill("7.77");
  await savePrices(page);

  await student.clock.fastForward("00:06");
  await student.evaluate(() => document.dispatchEvent(new Event("visibilitychange", { bubbles: true })));
  await student.getByText("Colour · ₹7.77 a page").first().waitFor({ state: "attached" });
  const order = await storefront.store.deps.readDb
    .selectFrom("orders")
    .select("total_paise")
    .where("id", "=", placed.body.data._id)
    .executeTakeFirstOrThrow();
  expect(order.total_paise / 100).toBe(placed.body.data.orderValue.orderTotal);
  await page.goto("/admin/audit");
  await page.getByText("Printed colour: Colour", { exact: true }).first().waitFor();
});

test("a shop can be closed with a note on its card, opened again and hidden", async () => {
  const admin = await signedInAdmin(storefront.store);
  const page = await asStaff("/admin/shops/deccan-sheets", admin);

  await page.getByRole("button", { name: "Close Deccan Sheets" }).click();
  await page.getByLabel("Note for students").fill("back at 4 pm");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Open Deccan Sheets" }).waitFor();
  const student = await storefront.visit("/shops");
  const tile = student.getByRole("article").filter({ hasText: "Deccan Sheets" });
  await tile.getByText("Closed now: back at 4 pm").waitFor();
  const { visitor } = await signedInStudent(storefront.store);
  const desk = await storefront.visit("/printnow?id=deccan-sheets", sessionOf(visitor));
  await desk.getByText("Deccan Sheets is closed now: back at 4 pm").waitFor();

  // It had closed early before, until tomorrow: open means open.
  const { db } = storefront.store.deps;
  const early = {
    holidays: "",
    pages_per_minute: 20,
    handling_minutes: 5,
    closed_until: "2100-01-01T03:30Z",
  };
  await db
    .insertInto("shop_schedules")
    .values({ shop_id: "deccan-sheets", ...early })
    .execute();
  await page.getByRole("button", { name: "Open Deccan Sheets" }).click();
  await page.getByRole("button", { name: "Close Deccan Sheets" }).waitFor();
  const schedules = db.selectFrom("shop_schedules").select("closed_until");
  expect(await schedules.where("shop_id", "=", "deccan-sheets").execute()).toEqual([{ closed_until: null }]);
  expect((await getShop(visitor, "deccan-sheets")).isOpen).toBe(true);

  await page.getByRole("button", { name: "Hide from students" }).click();
  await page.getByRole("button", { name: "Show to students" }).waitFor();
  await student.reload();
  await student.getByText(/^\d+ shops$/).waitFor();
  expect(await tile.count()).toBe(0);

  const without = await editedPrices(admin.visitor, "deccan-sheets", ({ bindingOptions }) => ({
    bindingOptions: bindingOptions.map((entry) => ({ ...entry, active: false })),
  }));
  expectDone(await admin.visitor.mutate("prices.save", without));
  await page.reload();
  await page.getByText("No prices: binding", { exact: true }).waitFor();
  expect(await page.getByRole("button", { name: "Show to students" }).isDisabled()).toBe(true);
});

test("a shop with no picture and an old name that is no longer allowed can still be saved", async () => {
  const admin = await signedInAdmin(storefront.store);
  const { db } = storefront.store.deps;
  const old = { name: "Straße Copies", image: "" };
  await db
    .updateTable("shops")
    .set({ ...old, college: "" })
    .where("id", "=", "palar-paper-house")
    .execute();
  const page = await asStaff("/admin/shops/palar-paper-house", admin);
  const chooser = page.getByRole("button", { name: "Choose a picture" });
  await chooser.waitFor();
  const calls: string[] = [];
  page.on("request", (request) => calls.push(request.url()));
  await dropPicture(page, Buffer.from([]), MAX_PHOTO_BYTES + 1);
  await page.getByText(`The picture ${PHOTO_TOO_LARGE}`).waitFor();
  expect(calls.filter((url) => url.includes("uploadPhoto"))).toEqual([]);

  await page.getByLabel("College").fill("Thapar Institute");
  await page.getByRole("button", { name: "Save", exact: true }).click();

  await page.getByText("Straße Copies is saved").waitFor();
  const saved = db.selectFrom("shops").select(["name", "image", "college"]);
  const shop = await saved.where("id", "=", "palar-paper-house").executeTakeFirst();
  expect(shop).toEqual({ ...old, college: "Thapar Institute" });
  await page.getByLabel("Location").fill("Großer Platz");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await page.getByText(/^must be written in Latin letters/).waitFor();
});

test("a long name of one's only shop leaves the header's menus on the screen of a phone", async () => {
  const { store } = storefront;
  const shopName = `${"W".repeat(60)} ${"and Binding ".repeat(3)}XX`;
  const shop = await shownShop((await signedInAdmin(store)).visitor, smallPriceList(), { shopName });
  const { visitor } = await signedInOwner(store, [shop.id]);
  const viewport = { width: 390, height: 844 };
  const page = await storefront.visit("/admin/counter", { ...sessionOf(visitor), viewport });
  await page.getByRole("article").getByText(shopName).waitFor();
  const menu = await page.getByRole("button", { name: "My account" }).boundingBox();
  expect(menu && menu.x + menu.width).toBeLessThanOrEqual(viewport.width);
  const [name, header] = await Promise.all(
    [page.getByTitle(shopName), page.locator("header").first()].map((part) => part.boundingBox()),
  );
  expect(name?.height).toBeLessThan(header?.height ?? 0);
  await page.goto(`/admin/shops/${shop.id}`);
  await page.getByRole("heading", { level: 1, name: shopName }).waitFor();
  await expectNoSidewaysScroll(page, viewport.width);
});

test("whoever presses the button at the end of a shop's long form is led to what is wrong with it", async () => {
  const { store } = storefront;
  const admin = await signedInAdmin(store);
  const { id, ...shop } = await shownShop(admin.visitor);
  const calls = ["shops.admin.create", "shops.admin.update"];
  const page = await storefront.visit("/admin/shops/new", { ...sessionOf(admin.visitor), refused: calls });
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute("data-path"));
  const create = page.getByRole("button", { name: "Create shop" });
  await create.click();
  await expect.poll(focused).toBe("shopName");
  await fillShop(page);
  await page.getByLabel("Page address").fill("clock tower");
  await create.click();
  await page.getByText("must have only letters, digits and hyphens, such as lamp-post-prints").waitFor();
  await page.getByLabel("Page address").fill(id);
  await create.click();
  await expect.poll(focused).toBe("id");
  expect(await page.getByText(`There is already a shop at "${id}"`).count()).toBe(1);
  await page.getByLabel("Page address").fill("clock-tower-2");
  await page.route("**/shops.admin.create*", (route) => route.abort());
  await create.click();
  await expect.poll(() => isInView(page.getByText("The store cannot be reached"))).toBe(true);

  await page.goto(`/admin/shops/${id}`);
  await page.getByLabel("Opening hours").fill("Daily 9-20");
  expectDone(await admin.visitor.mutate("shops.admin.update", { ...shop, shopId: id, version: 1 }));
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect.poll(() => isInView(page.getByText("Your changes are still here"))).toBe(true);
});

/** Whether it can be seen below the header without scrolling. */
async function isInView(text: Locator): Promise<boolean> {
  const box = await text.boundingBox();
  const height = text.page().viewportSize()?.height ?? 0;
  return box !== null && box.y > 60 && box.y + box.height < height;
}

test("what two people change of a shop at once is kept of both, or what was saved is, and no owner puts an old UPI ID back", async () => {
  const { store } = storefront;
  const admin = await signedInAdmin(store);
  const { id, ...shop } = await shownShop(admin.visitor);
  const { visitor } = await signedInOwner(store, [id]);
  const options = { ...sessionOf(visitor), refused: ["shops.admin.update"] };
  const page = await storefront.visit(`/admin/shops/${id}`, options);
  const rating = page.getByRole("textbox", { name: "Rating" });
  await page.getByText("By admins, until there are five ratings").waitFor();
  expect(await rating.isDisabled(), "an owner's own rating").toBe(true);
  await page.getByLabel("College").fill("Late College");
  const theirs = { ...shop, ratings: 5, upiId: "new@bank" };
  expectDone(await admin.visitor.mutate("shops.admin.update", { ...theirs, shopId: id, version: 1 }));
  const save = page.getByRole("button", { name: "Save", exact: true });
  await save.click();
  const mine = page.getByRole("button", { name: "Apply my changes to theirs" });
  await mine.waitFor();
  const cells = (field: string) =>
    page.getByRole("row").filter({ hasText: field }).locator("th, td").allInnerTexts();
  expect(await cells("UPI ID")).toEqual(["UPI ID", "new@bank", ""]);
  expect(await cells("Late College")).toEqual(["College", shop.college, "Late College"]);
  await mine.click();
  await expect.poll(() => page.getByLabel("UPI ID").inputValue()).toBe("new@bank");
  await save.click();
  await page.getByText(/ is saved$/).waitFor();
  const saved = store.deps.db.selectFrom("shops").select(["college", "upi_id", "rating_tenths"]);
  expect(await saved.where("id", "=", id).executeTakeFirst()).toEqual({
    college: "Late College",
    upi_id: "new@bank",
    rating_tenths: 50,
  });

  await page.getByLabel("College").fill("Later College");
  const again = { ...theirs, college: "Their College", shopId: id, version: 3 };
  expectDone(await admin.visitor.mutate("shops.admin.update", again));
  await save.click();
  await page.getByRole("button", { name: "Use the saved version" }).click();
  await expect.poll(() => page.getByLabel("College").inputValue()).toBe("Their College");
  await expect.poll(() => save.isDisabled()).toBe(true);
});

test("two owners who save holidays at once keep both or what was saved, and neither leaves with unsaved ones without a question", async () => {
  const admin = await signedInAdmin(storefront.store);
  const { id: shopId } = await shownShop(admin.visitor);
  const options = { ...sessionOf(admin.visitor), refused: ["schedule.save"] };
  const page = await storefront.visit(`/admin/shops/${shopId}`, options);
  const holidays = page.getByLabel("Holidays");
  const save = page.getByRole("button", { name: "Save promised times" });
  await holidays.fill("Diwali");
  await save.click();
  const field = page.locator(".mantine-InputWrapper-root", { has: holidays });
  await field.getByText("Write each holiday as a day such as 2026-12-25, not “Diwali”").waitFor();
  await holidays.fill("26/1/2030");
  const settings = async () => expectDone(await admin.visitor.query("schedule.settings", { shopId }));
  const { pagesPerMinute, handlingMinutes } = await settings();
  const theirs = { shopId, holidays: ["2030-12-25"], pagesPerMinute, handlingMinutes };
  expectDone(await admin.visitor.mutate("schedule.save", theirs));

  await save.click();
  const mine = page.getByRole("button", { name: "Apply my changes to theirs" });
  await mine.waitFor();
  await page.getByRole("link", { name: "Prices" }).click();
  const leaving = page.getByRole("dialog", { name: "Leave without saving?" });
  await leaving.getByRole("button", { name: "Stay" }).click();
  await leaving.waitFor({ state: "hidden" });
  await mine.click();
  await expect.poll(() => holidays.inputValue()).toBe("2030-01-26\n2030-12-25");
  await save.click();
  await page.getByText("Holidays and speed are saved").waitFor();
  expect((await settings()).holidays).toEqual(["2030-01-26", "2030-12-25"]);

  await holidays.fill("2031-01-26");
  expectDone(await admin.visitor.mutate("schedule.save", { ...theirs, holidays: ["2031-12-25"] }));
  await save.click();
  await page.getByRole("button", { name: "Use the saved version" }).click();
  await expect.poll(() => holidays.inputValue()).toBe("2031-12-25");
});

describe("in the forms of a shop", () => {
  const shopId = "long-form-prints";
  let admin: StaffPerson;
  beforeAll(async () => {
    admin = await signedInAdmin(storefront.store);
    // Open now, whatever the time, and closed on the third day from now.
    const closed = weekdayOf(addDays(indianDay(storefront.store.clock.now()), 3));
    const openingHours = `Daily 0-24; ${WEEKDAYS[closed]} closed`;
    await shownShop(admin.visitor, undefined, { id: shopId, openingHours });
  });
  const tab = storefront.visitOnce(`/admin/shops/${shopId}`, () => sessionOf(admin.visitor));

  test("what is typed while a shop's details are saved stays, unsaved", async () => {
    const page = tab();
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route("**/shops.admin.update*", async (route) => {
      const response = await route.fetch();
      await promise;
      await route.fulfill({ response });
    });
    const save = page.getByRole("button", { name: "Save", exact: true });
    await page.getByLabel("Contact number").fill("+91 00000 00088");
    await save.click();
    await page.getByLabel("Location").fill("Thorapadi, Vellore");
    resolve();
    await page.getByText(/ is saved$/).waitFor();
    await expect.poll(() => save.isEnabled()).toBe(true);
    const answer = page.waitForResponse(/shops\.admin\.update/);
    await save.click();
    await answer;
    await expect.poll(() => save.isEnabled()).toBe(false);
    const saved = storefront.store.deps.db.selectFrom("shops").select(["contact_number", "location"]);
    expect(await saved.where("id", "=", shopId).executeTakeFirst()).toEqual({
      contact_number: "+91 00000 00088",
      location: "Thorapadi, Vellore",
    });
  });

  test("an emptied number of the promised times is not saved as 0", async () => {
    const page = tab();
    const minutes = page.getByLabel("Minutes for each order");
    await minutes.fill("15");
    await page.getByRole("button", { name: "Save promised times" }).click();
    await page.getByText("Holidays and speed are saved").waitFor();
    await minutes.fill("");
    await page.getByRole("button", { name: "Save promised times" }).click();
    await answersCome(page);
    const settings = await admin.visitor.query("schedule.settings", { shopId });
    expect(expectDone(settings).handlingMinutes).toBe(15);
    await minutes.fill("15");
  });

  test("a shop closes early for today, and stays open, each by a press", async () => {
    const page = tab();
    const closedUntil = async () =>
      expectDone(await admin.visitor.query("schedule.settings", { shopId })).closedUntil;
    await page.getByRole("button", { name: "Close early today" }).click();
    await page.getByText(/^Closed early, opens /).waitFor();
    expect(await closedUntil()).toEqual(expect.any(String));
    await openScreen(page, `/admin/orders?shop=${shopId}`);
    await page.getByText(/ is closed until \d.*\. Orders are promised for then\./).waitFor();
    await openScreen(page, `/admin/shops/${shopId}`);
    await page.getByRole("button", { name: "Stay open today" }).click();
    await page.getByRole("button", { name: "Close early today" }).waitFor();
    expect(await closedUntil()).toBeNull();
  });

  test("what is typed about GST stays when an answer comes in, and is not left without a question", async () => {
    const page = tab();
    const { promise, resolve } = Promise.withResolvers<void>();
    await page.route("**/tax.save*", async (route) => {
      const response = await route.fetch();
      await promise;
      await route.fulfill({ response });
    });
    await page.getByLabel("Number prefix").fill("ab");
    await page.getByRole("button", { name: "Save GST" }).click();
    await page.getByLabel("Legal name").fill("Palar Paper LLP");
    resolve();
    await page.getByText("Orders get receipts only").waitFor();
    await expect.poll(() => page.getByLabel("Number prefix").inputValue()).toBe("AB");
    await page.getByRole("link", { name: "Prices" }).click();
    await page
      .getByRole("dialog", { name: "Leave without saving?" })
      .getByRole("button", { name: "Stay" })
      .click();
    await expect.poll(() => page.getByLabel("Legal name").inputValue()).toBe("Palar Paper LLP");
    await page.getByRole("combobox", { name: "Rate" }).click();
    await page.getByRole("option", { name: "5 %", exact: true }).click();
    await page.getByRole("button", { name: "Save GST" }).click();
    const taxes = storefront.store.deps.db.selectFrom("shop_taxes");
    const saved = taxes.select(["legal_name", "series", "rate_percent"]);
    await expect
      .poll(() => saved.where("shop_id", "=", shopId).executeTakeFirst())
      .toEqual({ legal_name: "Palar Paper LLP", series: "AB", rate_percent: 5 });
  });

  test("with two unsaved forms on a screen, leaving is asked about once, also after it was declined", async () => {
    const page = tab();
    await page.getByLabel("Holidays").fill("2031-01-26");
    await page.getByLabel("Legal name").fill("Palar Papers");
    const leaving = page.getByRole("dialog", { name: "Leave without saving?" });
    const asks = () => !dispatchEvent(new Event("beforeunload", { cancelable: true }));
    expect(await page.evaluate(asks), "before the tab is closed").toBe(true);
    for (const answer of ["Stay", "Leave"]) {
      await page.getByRole("link", { name: "Prices" }).click();
      await leaving.getByRole("button", { name: answer }).click();
      await leaving.waitFor({ state: "hidden" });
    }
    await page.getByRole("button", { name: "Save prices" }).waitFor();
    expect(await leaving.count()).toBe(0);
    expect(await page.evaluate(asks)).toBe(false);
  });

  test("a shop is deleted after a question, which leads to the list, but not once it has orders", async () => {
    const page = tab();
    const { visitor } = await signedInStudent(storefront.store);
    const { id: busyId } = await shownShop(admin.visitor);
    const order = await orderFor(visitor, { shopId: busyId });
    expect((await visitor.post("/api/v1/prints/printorder", order)).status).toBe(200);
    await openScreen(page, `/admin/shops/${busyId}`);
    const remove = page.getByRole("button", { name: "Delete", exact: true });
    await page.getByText("This shop has orders, so it can be hidden but not deleted.").waitFor();
    expect(await remove.isDisabled()).toBe(true);
    await openScreen(page, `/admin/shops/${shopId}`);
    await expect.poll(() => remove.isEnabled()).toBe(true);
    await remove.click();
    await page.getByRole("button", { name: "Delete the shop" }).click();
    await page.getByText(/ is deleted$/).waitFor();
    await page.waitForURL("**/admin/shops");
    const left = storefront.store.deps.db.selectFrom("shops").select("id").where("id", "=", shopId);
    expect(await left.execute()).toEqual([]);
  });
});
