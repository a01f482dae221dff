import type { Page } from "playwright-core";
import { afterEach, describe, expect, onTestFinished, test } from "vitest";
import type { Draft } from "#client/features/print/draft.ts";
import { FAILURE, SUCCESS } from "#shared/messages.ts";
import { ADDRESS as ADDRESS_OF_ORDER } from "../factories/orders.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { moveTo } from "../factories/placed-orders.ts";
import { expectDone, shownShop } from "../factories/shops.ts";
import { shopIds, signedInAdmin } from "../factories/staff.ts";
import { removeHours } from "../factories/visits.ts";
import { expectAccessibleScreen, expectNoSidewaysScroll } from "../setup/accessible-screen.ts";
import { answersCome, closePopup, delayRequests, delayScript, openStorefront } from "../setup/storefront.ts";
import {
  ADDRESS,
  goToCheckout,
  hurryUntil,
  keepDraft,
  openPreparedOrder,
  ordersOf,
  PRINT_PATH,
  pdfFile,
  priceOf,
  row,
  rowNames,
  SHOP_ID,
  saveAddress,
  storedFiles,
  storedItem,
  total,
  upload,
  visitAsStudent,
  visitPreparedOrder,
  visitWithFiles,
  waitForPromise,
} from "./print-steps.ts";

const storefront = openStorefront();
const PLACE_URL = "**/api/trpc/orders.place?*";

const tenPages = async () => pdfFile("Ten.pdf", await pdfOfPages(10));
const placeButton = (page: Page) => page.getByRole("button", { name: "Place Order" });

/** The page has the prices, and asks for nothing: it does not know what the shop changes after this. */
async function pricesCome(page: Page): Promise<void> {
  await expect.poll(() => placeButton(page).isEnabled()).toBe(true);
  await answersCome(page);
}

async function changeColourPrice(pricePaise: number): Promise<void> {
  await storefront.store.deps.db
    .updateTable("shop_options")
    .set({ price_paise: pricePaise })
    .where("shop_id", "=", SHOP_ID)
    .where("kind", "=", "printedColours")
    .where("name", "=", "Black & White")
    .execute();
}

async function openOtherShop(): Promise<string> {
  const [other = ""] = (await shopIds(storefront.store)).filter((id) => id !== SHOP_ID);
  await removeHours(storefront.store, other);
  return other;
}

/** Places orders at once and holds their responses back. @returns lets the responses through */
async function holdResponse(page: Page): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(PLACE_URL, async (route) => {
    const response = await route.fetch();
    await promise;
    await route.fulfill({ response });
  });
  return resolve;
}

describe("the order page", () => {
  test("without order data shows 'No Item has added!!' and a disabled button that reads 'address not added'", async () => {
    const { page } = await visitAsStudent(storefront, {}, "/printorder");
    await page.getByRole("heading", { name: "No Item has added!!", exact: true }).waitFor();
    const button = page.getByRole("button", { name: "address not added", exact: true });
    await expect.poll(() => button.isDisabled()).toBe(true);
    await expectNoSidewaysScroll(page, 320);
    await expectAccessibleScreen(page);
  });

  test("starts with the student's name and keeps a half-typed address over a reload, until the logout", async () => {
    const { page, student } = await visitWithFiles(storefront, [await tenPages()], { hasTouch: true });
    await goToCheckout(page, { address: false });
    await page.getByLabel("Flat number").and(page.locator(":focus")).waitFor();
    await expect.poll(() => page.getByLabel("Delivery to").inputValue()).toBe(student.fullName);
    const filledIn = page.locator("form input[autocomplete]");
    expect(
      await filledIn.evaluateAll((all) => all.map((field) => field.getAttribute("autocomplete"))),
    ).toEqual(["name", "address-line1", "address-line2", "address-level1"]);
    await page.keyboard.type("Hostel 9");
    await page.keyboard.press("Enter");
    await page.getByLabel("Road number").and(page.locator(":focus")).waitFor();
    await page.reload();
    await expect.poll(() => page.getByLabel("Flat number").inputValue()).toBe("Hostel 9");
    expect(await storedItem(page, "address")).toBeNull();
    await page.getByRole("button", { name: "My Account" }).click();
    await page.getByRole("button", { name: "Logout" }).click();
    await closePopup(page, SUCCESS.loggedOut.title);
    expect(await page.evaluate(() => JSON.stringify(localStorage))).not.toContain("Hostel 9");
  });

  test("has a button that reads 'address not added' until all four fields are saved, and then shows them, to be edited", async () => {
    const { page } = await visitPreparedOrder(storefront, {}, { address: false });
    const button = page.getByRole("button", { name: "address not added", exact: true });
    await expect.poll(() => button.isDisabled()).toBe(true);
    await saveAddress(page, { "Delivery to": "" });
    for (const field of ["The name", "Flat number", "Road number", "Country and district"])
      await page.getByText(`${field} is required`).waitFor();
    await saveAddress(page, { "Delivery to": "Asha Verma", "Road number": "  " });
    await page.getByText("The name is required").waitFor({ state: "detached" });
    await expect
      .poll(() => page.getByText("is required").allInnerTexts())
      .toEqual(["Flat number is required", "Road number is required", "Country and district is required"]);
    await page.locator(":focus").and(page.getByLabel("Flat number")).waitFor();
    await expect.poll(() => button.isDisabled()).toBe(true);
    expect(await storedItem(page, "address")).toBeNull();
    await saveAddress(page);
    expect(await closePopup(page, SUCCESS.addressUpdated.title)).toContain(SUCCESS.addressUpdated.text);
    await expect.poll(() => placeButton(page).isEnabled()).toBe(true);
    expect(await storedItem(page, "address")).toEqual({
      fullname: ADDRESS["Delivery to"],
      flatno: ADDRESS["Flat number"],
      roadNo: ADDRESS["Road number"],
      country: ADDRESS["Country and district"],
    });
    expect(await page.evaluate(() => Object.keys(localStorage).join()), "what was half typed").not.toContain(
      "typedAddress",
    );

    await page.reload();
    const delivery = page.getByRole("region", { name: "Delivery details" });
    for (const value of Object.values(ADDRESS)) await delivery.getByText(value, { exact: true }).waitFor();
    await page.getByRole("button", { name: "Change address" }).click();
    await expect.poll(() => page.getByLabel("Flat number").inputValue()).toBe(ADDRESS["Flat number"]);
    await saveAddress(page, { "Flat number": "Hostel 5" });
    await closePopup(page, SUCCESS.addressUpdated.title);
    await delivery.getByText("Hostel 5", { exact: true }).waitFor();
    // As after a change in another tab.
    await page.evaluate(() => {
      const address = localStorage.getItem("address") ?? "";
      localStorage.setItem("address", address.replace("Hostel 5", "Hostel 6"));
      dispatchEvent(new StorageEvent("storage", { key: "address" }));
    });
    await delivery.getByText("Hostel 6", { exact: true }).waitFor();
  });

  test("shows every field of the order, its files and its price", async () => {
    const message = "First line\nSecond line";
    const visit = await visitAsStudent(storefront, {}, "/robots.txt");
    const { page, student } = visit;
    const promise = waitForPromise(page, 2 * 10);
    await openPreparedOrder(visit, { message, copies: 2 });
    await promise;
    const summary = page.getByRole("region", { name: "Order summary" });
    await summary.getByText("First line").waitFor();
    const text = await summary.innerText();
    for (const part of [
      "Ten.pdf",
      "10 pages",
      "Black & White",
      "Single side",
      "70 GSM Copier",
      "A4",
      "No Cover",
      "No Binding",
      "First line\nSecond line",
      student.email,
      "Red Soil Prints, Prem Bazaar, Kharagpur, West Bengal",
      "+91 00000 00001",
      "orders@red-soil-prints.example",
    ]) {
      expect(text).toContain(part);
    }
    await expect.poll(() => total(page)).toBe("₹30.00");
    await priceOf(page).getByText("10 pages × 2 copies × ₹0.50").waitFor();
    await priceOf(page).getByText("The 10% OFF on shop cards is not part of this price").waitFor();
  });
});

describe("placing the order", () => {
  test("creates one order when pressed twice, under 'Please wait', and clears the draft, so that the next order starts empty", async () => {
    const { page, student } = await visitPreparedOrder(storefront);
    expect(await storedFiles(page)).toEqual(["thumbnail:Ten.pdf"]);
    const draft = `draft:${await page.evaluate(() => localStorage.getItem("owner"))}:${SHOP_ID}`;
    const { orderKey } = (await storedItem(page, draft)) as Draft;
    let calls = 0;
    const answer = Promise.withResolvers<void>();
    await page.route(PLACE_URL, async (route) => {
      calls++;
      await answer.promise;
      await route.continue();
    });
    await placeButton(page).evaluate((button: HTMLButtonElement) => {
      button.click();
      button.click();
    });
    await page.getByText("Please wait").waitFor();
    await page.keyboard.press("Enter");
    // The next page is slow as well: what is placed must not look as if it were not.
    const letThrough = await delayScript(page);
    const nextPage = page.waitForRequest("**/assets/*.js");
    answer.resolve();
    await nextPage;
    expect(await page.getByText("Please wait").isVisible()).toBe(true);
    expect(await page.getByText("no longer in your list").count()).toBe(0);
    await page.getByText("Ten.pdf").waitFor();
    letThrough();
    await closePopup(page, SUCCESS.orderPlaced.title);
    expect(calls).toBe(1);
    expect(await ordersOf(storefront, student)).toHaveLength(1);

    expect(await storedItem(page, "address")).toBeNull();
    await expect.poll(() => storedFiles(page)).toEqual([]);
    await page.goto("/printorder");
    await page.getByRole("heading", { name: "No Item has added!!" }).waitFor();
    await page.goto(PRINT_PATH);
    await page.getByText("Add at least one file to continue").waitFor();
    await expect.poll(() => rowNames(page)).toEqual([]);
    // With the same key it would be the same order.
    expect(await storedItem(page, draft)).toMatchObject({
      files: [],
      orderKey: expect.not.stringMatching(orderKey),
    });
  });

  test("does nothing on the next page with a second press of the mouse in the same place", async () => {
    const { page, student } = await visitPreparedOrder(storefront, {
      viewport: { width: 390, height: 844 },
    });
    const { x = 0, y = 0, width = 0, height = 0 } = (await placeButton(page).boundingBox()) ?? {};
    const middle = [x + width / 2, y + height / 2] as const;
    await page.mouse.click(...middle);
    // Not by a locator, before which a test moves the mouse away.
    await page.waitForFunction(() => document.querySelector("h1")?.textContent === "Online Printing Shop");
    await page.mouse.click(...middle, { clickCount: 2 });
    expect(await page.evaluate(() => String(window.getSelection()))).toBe("");
    expect(new URL(page.url()).pathname).toBe("/");
    await closePopup(page, SUCCESS.orderPlaced.title);
    expect(await ordersOf(storefront, student)).toHaveLength(1);
  });

  test("needs no draft, only what the contract stores", async () => {
    const { page, student } = await visitPreparedOrder(storefront);
    await page.evaluate(() => {
      for (const name of Object.keys(localStorage))
        if (name.startsWith("draft")) localStorage.removeItem(name);
    });
    await page.reload();
    await placeButton(page).click();
    await closePopup(page, SUCCESS.orderPlaced.title);
    expect(await ordersOf(storefront, student)).toHaveLength(1);
  });

  test("retries by itself after a lost response, and creates one order", async () => {
    const { page, student } = await visitPreparedOrder(storefront, { refused: ["orders.place"] });
    let calls = 0;
    await page.route(PLACE_URL, async (route) => {
      const response = await route.fetch();
      if (calls++ === 0) await route.abort("connectionreset");
      else await route.fulfill({ response });
    });
    await page.clock.install();
    await placeButton(page).click();
    await hurryUntil(page, () => page.getByRole("dialog", { name: SUCCESS.orderPlaced.title }).isVisible());
    await closePopup(page, SUCCESS.orderPlaced.title);
    expect(calls).toBe(2);
    expect(await ordersOf(storefront, student)).toHaveLength(1);
  });

  test("loses nothing if no response arrives, and creates one order after a reload", async () => {
    const { page, student } = await visitPreparedOrder(storefront, { refused: ["orders.place"] });
    expect(await placeWithoutAnswer(page)).toContain("Check your connection");
    await page.reload();
    await placeButton(page).click();
    await closePopup(page, SUCCESS.orderPlaced.title);
    expect(await ordersOf(storefront, student)).toHaveLength(1);
  });

  test("takes the files of an order whose answer was lost out of the draft when it is opened again", async () => {
    const refused = ["orders.place", "/files/", "files.colours"];
    const { page, student } = await visitPreparedOrder(storefront, { refused });
    await placeWithoutAnswer(page);
    // On a bad line the store says that the file is gone, and nothing else.
    const [{ id = "" } = {}] = await ordersOf(storefront, student);
    await moveTo((await signedInAdmin(storefront.store)).visitor, id, "dispatched");
    await page.route("**/files.colours*", (route) => route.abort("connectionreset"));
    await page.goto(PRINT_PATH);
    await row(page, "Ten.pdf").waitFor();
    await answersCome(page);
    expect(await row(page, "Ten.pdf").innerText()).not.toContain("choose it again");
    // A page that is still open would ask again at this moment, and leave with the answer.
    await page.goto("/robots.txt");
    await page.unroute("**/files.colours*");
    await page.goto(PRINT_PATH);
    expect(await closePopup(page, "Already ordered")).toContain("“Ten.pdf”");
    await expect.poll(() => rowNames(page)).toEqual([]);
    expect([await storedItem(page, "orderData"), await storedItem(page, "address")]).toEqual([null, null]);
    await upload(page, [pdfFile("Next.pdf", await pdfOfPages(4))]);
    await goToCheckout(page);
    await placeButton(page).click();
    await closePopup(page, SUCCESS.orderPlaced.title);
    expect(await ordersOf(storefront, student)).toHaveLength(2);
  });

  test("leaves a file in the draft that was added after Continue", async () => {
    const { page } = await visitWithFiles(storefront, [await tenPages()]);
    await goToCheckout(page);
    await page.goBack();
    await upload(page, [pdfFile("Added.pdf", await pdfOfPages(4))]);
    await page.goForward();
    await placeButton(page).click();
    await closePopup(page, SUCCESS.orderPlaced.title);
    await page.goto(PRINT_PATH);
    await row(page, "Added.pdf").getByText("4 pages").waitFor();
    expect(await rowNames(page)).toEqual(["Added.pdf"]);
  });

  test("is confirmed also after the store was updated", async () => {
    const visit = await visitAsStudent(storefront, { serviceWorkers: "allow" }, "/faq");
    const { page } = visit;
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    await openPreparedOrder(visit);
    await page.evaluate(() => navigator.serviceWorker.dispatchEvent(new Event("controllerchange")));
    await placeButton(page).click();
    await closePopup(page, SUCCESS.orderPlaced.title);
    expect(await storedItem(page, "orderData")).toBeNull();
  });

  test("in another tab removes it from this one, also while it shows another page", async () => {
    const { page } = await visitPreparedOrder(storefront);
    await placeButton(page).waitFor();
    const second = await page.context().newPage();
    await second.goto("/printorder");
    await page.getByRole("link", { name: "Shops", exact: true }).first().click();
    await page.waitForURL("**/shops");
    await placeButton(second).click();
    await closePopup(second, SUCCESS.orderPlaced.title);
    await page.goBack();
    await page.getByRole("heading", { name: "No Item has added!!" }).waitFor();
  });
});

test("the total stays in sight on a low screen, above the button", async () => {
  const { page } = await visitPreparedOrder(storefront, { viewport: { width: 1280, height: 600 } });
  await placeButton(page).scrollIntoViewIfNeeded();
  const row = priceOf(page)
    .getByRole("term")
    .filter({ hasText: /^Total$/ });
  const isSeen = () =>
    row.evaluate((it) => {
      const { left, top, bottom } = it.getBoundingClientRect();
      return [top + 2, bottom - 2].every((y) => it.contains(document.elementFromPoint(left + 2, y)));
    });
  await expect.poll(isSeen).toBe(true);
});

describe("a refused order", () => {
  afterEach(() => changeColourPrice(50));

  test("whose price has changed is placed at the new price once the student accepts it", async () => {
    const { page, student } = await visitPreparedOrder(storefront, { refused: ["orders.place"] });
    // The page has the prices by then.
    await pricesCome(page);
    await changeColourPrice(250);
    await placeButton(page).click();
    expect(await closePopup(page, FAILURE.order)).toContain("₹49.00");
    const alert = page.getByRole("heading", { name: "The price has changed: the total is now ₹49.00" });
    await alert.and(page.locator(":focus")).waitFor();
    await page.getByText("The subtotal was ₹13.00 when you chose your options. It is now ₹33.00.").waitFor();
    await expect.poll(() => placeButton(page).isDisabled()).toBe(true);
    await expect.poll(() => total(page)).toBe("₹49.00");
    await page.getByRole("button", { name: "Accept ₹49.00" }).click();
    await placeButton(page).and(page.locator(":focus")).waitFor();
    await placeButton(page).click();
    await closePopup(page, SUCCESS.orderPlaced.title);
    const orders = await ordersOf(storefront, student);
    expect(orders.map((order) => order.total_paise)).toEqual([4900]);
  });

  test("shows that it tries again where the shop's new prices could not be loaded, and says that an option has left its price list", async () => {
    const { page } = await visitPreparedOrder(storefront, { refused: ["orders.place", "shops.byId"] });
    await pricesCome(page);
    await changeColourPrice(250);
    const calls = "**/api/trpc/*shops.byId*";
    await page.route(calls, (route) => route.abort());
    await placeButton(page).click();
    await closePopup(page, FAILURE.order);
    await page.getByRole("heading", { name: "The shop's prices could not be loaded" }).waitFor();
    // From now on instead of the one that breaks them off.
    const release = await delayRequests(page, calls);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.locator("button[data-loading]", { hasText: "Try again" }).waitFor();
    release();
    await page.getByRole("button", { name: "Accept ₹49.00" }).click();

    const offer = (active: 0 | 1) =>
      storefront.store.deps.db
        .updateTable("shop_options")
        .set({ active })
        .where("shop_id", "=", SHOP_ID)
        .where("name", "=", "70 GSM Copier")
        .execute();
    onTestFinished(async () => void (await offer(1)));
    await pricesCome(page);
    await offer(0);
    await placeButton(page).click();
    await closePopup(page, FAILURE.order);
    await page.getByRole("heading", { name: "The shop no longer offers one of your options" }).waitFor();
  });

  test("with a missing file leads back to the upload", async () => {
    const { page, visitor, student } = await visitPreparedOrder(storefront, {
      refused: ["orders.place", "/files/"],
    });
    const { filesUrl } = (await storedItem(page, "orderData")) as { filesUrl: string[] };
    await pricesCome(page);
    await visitor.mutate("files.remove", { id: filesUrl[0]?.split("/").at(-1) });
    await placeButton(page).click();
    expect(await closePopup(page, FAILURE.order)).toContain(
      "“Ten.pdf” has been deleted. Please upload it again",
    );
    await page.getByRole("heading", { name: "The order could not be placed" }).waitFor();
    expect(await storedFiles(page)).toEqual(["thumbnail:Ten.pdf"]);
    const draft = `draft:${await page.evaluate(() => localStorage.getItem("owner"))}:${SHOP_ID}`;
    const { orderKey } = (await storedItem(page, draft)) as Draft;
    await page.getByRole("link", { name: "Change the order" }).click();
    // By the key of before, it would be the order of before, if there is one.
    expect(await storedItem(page, draft)).toMatchObject({ orderKey: expect.not.stringMatching(orderKey) });
    await row(page, "Ten.pdf").getByText("Please choose it again").waitFor();
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "Choose again for Ten.pdf" }).click();
    await (await chooser).setFiles([await tenPages()]);
    await closePopup(page, SUCCESS.fileUploaded.title);
    await page.getByRole("button", { name: "Continue" }).click();
    await placeButton(page).click();
    await closePopup(page, SUCCESS.orderPlaced.title);
    expect(await ordersOf(storefront, student)).toHaveLength(1);
  });

  test("at a shop that is gone by then leads to another shop, which can take its files", async () => {
    const { visitor: admin } = await signedInAdmin(storefront.store);
    const { id: shopId } = await shownShop(admin);
    const { page } = await visitPreparedOrder(
      storefront,
      { refused: ["orders.place", "orders.promise", "shops.byId"] },
      { shopId },
    );
    await pricesCome(page);
    expectDone(await admin.mutate("shops.admin.setHidden", { shopId, hidden: true }));
    await placeButton(page).click();
    await closePopup(page, FAILURE.order);
    await page.getByRole("heading", { name: "The shop is no longer at Print Store" }).waitFor();
    expect(await page.getByRole("link", { name: "Change the order" }).count()).toBe(0);
    await expect.poll(() => placeButton(page).isDisabled()).toBe(true);
    await page.getByRole("link", { name: "Find another shop" }).click();
    await page.waitForURL("**/shops");
  });

  test("at a shop that was closed is placed once it has opened, without the refusal of before", async () => {
    const other = await openOtherShop();
    const setOpen = (is_open: 0 | 1) =>
      storefront.store.deps.db.updateTable("shops").set({ is_open }).where("id", "=", other).execute();
    const { page } = await visitPreparedOrder(storefront, { refused: ["orders.place"] }, { shopId: other });
    await pricesCome(page);
    await setOpen(0);
    await placeButton(page).click();
    await closePopup(page, FAILURE.order);
    const closed = page.getByRole("heading", { name: "The shop is closed now" });
    await closed.waitFor();
    await setOpen(1);
    // Its data is taken for fresh until then.
    await page.clock.setFixedTime(Date.now() + 60_000);
    await page.evaluate(() => dispatchEvent(new Event("visibilitychange")));
    await closed.waitFor({ state: "detached" });
    expect(await page.getByRole("heading", { name: "The order could not be placed" }).count()).toBe(0);
    await placeButton(page).click();
    await closePopup(page, SUCCESS.orderPlaced.title);
  });

  test("after the session ended leads through the login and back to the order", async () => {
    const visit = await visitAsStudent(storefront, { refused: ["orders.place"] }, "/robots.txt");
    const { page, visitor, student } = visit;
    // The account's own, which the browser forgets when the session ends.
    expectDone(await visitor.mutate("addresses.add", { address: ADDRESS_OF_ORDER }));
    await openPreparedOrder(visit, { address: false });
    // One that came later would lead to the login by itself.
    await pricesCome(page);
    await visitor.post("/api/v1/users/logout");
    await placeButton(page).click();
    await closePopup(page, FAILURE.order);
    await page.waitForURL("**/login?*");
    await page.getByLabel("Email").fill(student.email);
    await page.getByLabel("Password", { exact: true }).fill(student.password);
    await page.keyboard.press("Enter");
    await closePopup(page, SUCCESS.loggedIn.title);
    await page.waitForURL("**/printorder");
    await placeButton(page).click();
    await closePopup(page, SUCCESS.orderPlaced.title);
    expect(await ordersOf(storefront, student)).toHaveLength(1);
  });
});

describe("an order whose response comes late", () => {
  test("leaves the draft and the order data that another tab has of another shop", async () => {
    const other = await openOtherShop();
    const visit = await visitPreparedOrder(storefront);
    const { page, student } = visit;
    await keepDraft(visit, [pdfFile("Four.pdf", await pdfOfPages(4))], other);
    const second = await page.context().newPage();
    await second.goto(`/printnow?id=${other}`);
    const letThrough = await holdResponse(page);
    await placeButton(page).click();
    await second.getByRole("button", { name: "Continue" }).click();
    await second.waitForURL("**/printorder");
    const followed = page.getByRole("heading", { name: "Your order" }).locator("..");
    const { shopName } = (await storedItem(second, "orderData")) as { shopName: string };
    await followed.getByText(shopName).waitFor();
    letThrough();
    await closePopup(page, SUCCESS.orderPlaced.title);
    expect(await ordersOf(storefront, student)).toHaveLength(1);
    expect(await storedItem(second, "orderData")).toMatchObject({ shopId: other });
    await second.goto(`/printnow?id=${other}`);
    await row(second, "Four.pdf").getByText("4 pages").waitFor();
    await second.goto(PRINT_PATH);
    await second.getByRole("button", { name: "Choose PDF files" }).waitFor();
    expect(await rowNames(second)).toEqual([]);
  });

  test("is refused, and says so by a popup alone where the order of another shop is shown by then", async () => {
    const other = await openOtherShop();
    const visit = await visitPreparedOrder(storefront, { refused: ["orders.place"] });
    const { page, visitor } = visit;
    await keepDraft(visit, [pdfFile("Four.pdf", await pdfOfPages(4))], other);
    const second = await page.context().newPage();
    await second.goto(`/printnow?id=${other}`);
    const letThrough = await holdResponse(page);
    const { filesUrl } = (await storedItem(page, "orderData")) as { filesUrl: string[] };
    await visitor.mutate("files.remove", { id: filesUrl[0]?.split("/").at(-1) });
    await placeButton(page).click();
    await second.getByRole("button", { name: "Continue" }).click();
    await second.waitForURL("**/printorder");
    const { shopName } = (await storedItem(second, "orderData")) as { shopName: string };
    await page.getByRole("heading", { name: "Your order" }).locator("..").getByText(shopName).waitFor();
    await placeButton(page).waitFor();
    letThrough();
    await closePopup(page, FAILURE.order);
    expect(await page.getByRole("heading", { name: "The order could not be placed" }).count()).toBe(0);
    await expect.poll(() => placeButton(page).isEnabled()).toBe(true);
  });

  test("leaves the student at the order of another shop, begun after Back", async () => {
    const other = await openOtherShop();
    const visit = await visitWithFiles(storefront, [await tenPages()]);
    const { page } = visit;
    await keepDraft(visit, [pdfFile("Four.pdf", await pdfOfPages(4))], other);
    await goToCheckout(page);
    const letThrough = await holdResponse(page);
    await placeButton(page).click();
    await page.goBack();
    await page.getByRole("link", { name: "Shops", exact: true }).first().click();
    await page.locator(`a[href*="${other}"]`).first().click();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL("**/printorder");
    letThrough();
    await closePopup(page, SUCCESS.orderPlaced.title);
    expect(new URL(page.url()).pathname).toBe("/printorder");
    expect(await storedItem(page, "orderData")).toMatchObject({ shopId: other });

    // Nor is a student who looks at something else by then taken away from it.
    const letThroughAgain = await holdResponse(page);
    await placeButton(page).click();
    await page.goBack();
    await page.getByRole("link", { name: "Shops", exact: true }).first().click();
    await page.waitForURL("**/shops");
    letThroughAgain();
    await closePopup(page, SUCCESS.orderPlaced.title);
    expect(new URL(page.url()).pathname).toBe("/shops");
    expect(await storedItem(page, "orderData")).toBeNull();
  });
});

/** Places the order, of which every answer is lost. @returns what the page says then */
async function placeWithoutAnswer(page: Page): Promise<string> {
  await page.route(PLACE_URL, async (route) => {
    await route.fetch();
    await route.abort("connectionreset");
  });
  await page.clock.install();
  await placeButton(page).click();
  await hurryUntil(page, () => page.getByRole("dialog", { name: FAILURE.order }).isVisible());
  const said = await closePopup(page, FAILURE.order);
  await page.unroute(PLACE_URL);
  return said;
}
