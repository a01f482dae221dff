import { beforeAll, expect, test } from "vitest";
import { ADDRESS as ORDERED_TO, orderFor } from "../factories/orders.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { placeAnother, placeOrder } from "../factories/placed-orders.ts";
import { shownShop, smallPriceList } from "../factories/shops.ts";
import { type StaffPerson, signedInAdmin } from "../factories/staff.ts";
import { expectAccessiblePart, expectAccessibleScreen } from "../setup/accessible-screen.ts";
import { answersCome, closePopup, delayRequests, openStorefront } from "../setup/storefront.ts";
import {
  ADDRESS,
  choosingInBrowser,
  goToCheckout,
  ordersOf,
  pdfFile,
  pick,
  rowNames,
  SHOP_ID,
  saveAddress,
  upload,
  visitAs,
  visitPreparedOrder,
  visitWithFiles,
} from "./print-steps.ts";

const storefront = openStorefront();
let admin: StaffPerson;
beforeAll(async () => {
  admin = await signedInAdmin(storefront.store);
});

test("an order can be repeated from the success popup or its page, without options the shop no longer offers", async () => {
  const lists = smallPriceList();
  const usual = lists.bindingOptions[0];
  if (!usual) throw new Error("The shop has no binding");
  const shop = await shownShop(admin.visitor, {
    ...lists,
    bindingOptions: [usual, { ...usual, name: "Hard cover" }],
    coverOptions: [...lists.coverOptions, { ...usual, name: "Clear film" }],
  });
  const notes = pdfFile("Notes.pdf", await pdfOfPages(2));
  const { page, student } = await visitWithFiles(storefront, [notes], {}, shop.id);
  await page.getByLabel("Binding").selectOption({ index: 1 });
  await page.getByLabel("Cover").selectOption({ index: 1 });
  await page.getByLabel("Number of copies").fill("3");
  await page.getByLabel("Message to the shop").fill("Punch holes, please");
  await goToCheckout(page);
  await page.getByRole("button", { name: "Place Order" }).click();

  const popup = page.getByRole("dialog", { name: "Congratulations!!!", exact: true });
  await popup
    .getByText("Order placed successfully, check your email for order details", { exact: true })
    .waitFor();
  const heading = page.locator("main h1:focus");
  await heading.waitFor();
  // While it has the focus, it stays.
  await popup.getByRole("button", { name: "OK" }).focus();
  await expectAccessibleScreen(page);
  await page.locator("main h1").focus();
  await heading.waitFor();
  const link = page.getByRole("link", { name: "See your order" });
  for (let steps = 0; steps < 6 && (await link.and(page.locator(":focus")).count()) === 0; steps++)
    await page.keyboard.press("Shift+Tab");
  await page.keyboard.press("Enter");
  const [order] = await ordersOf(storefront, student);
  await page.waitForURL(`**/orders/${order?.id}`);
  await page.getByRole("heading", { name: `Order ${order?.number}`, level: 1 }).waitFor();
  expect(await page.getByRole("dialog").count()).toBe(0);

  await storefront.store.deps.db
    .updateTable("shop_options")
    .set({ active: 0 })
    .where("shop_id", "=", shop.id)
    .where("name", "=", "Hard cover")
    .execute();
  await page.getByRole("button", { name: "Order again" }).click();
  const note = page.getByRole("region", { name: `Order ${order?.number} again` });
  await note.getByText("Binding: Hard cover").waitFor();
  await expect.poll(() => note.getByRole("listitem").count()).toBe(1);
  await expect
    .poll(() => page.getByLabel("Cover").locator("option:checked").innerText())
    .toContain("Clear film");
  await expect.poll(() => page.getByLabel("Number of copies").inputValue()).toBe("3");
  await expect.poll(() => page.getByLabel("Message to the shop").inputValue()).toBe("Punch holes, please");
  await expectAccessiblePart(note);
  await note.getByRole("button", { name: "OK" }).click();
  await note.waitFor({ state: "detached" });

  await upload(page, [pdfFile("Notes again.pdf", await pdfOfPages(2))]);
  await page.getByRole("button", { name: "Continue" }).click();
  for (const text of Object.values(ADDRESS)) await page.getByText(text, { exact: true }).waitFor();
  await page.getByRole("button", { name: "Place Order" }).click();
  await closePopup(page, "Congratulations!!!");
  expect(await ordersOf(storefront, student)).toHaveLength(2);
});

test("an order that is repeated goes where it went, whatever the default address, unless another was entered for the order under way", async () => {
  const { page, visitor } = await visitPreparedOrder(storefront, {}, { address: false });
  const request = { ...(await orderFor(visitor, { shopId: SHOP_ID })), address: ORDERED_TO };
  const { body } = await visitor.post("/api/v1/prints/printorder", request);
  await saveAddress(page, { ...ADDRESS, "Flat number": "Hostel 5" });
  await closePopup(page, "address Updated!");
  await page.goto(`/orders/${body.data._id}`);
  await page.getByRole("button", { name: "Order again" }).click();
  await page.getByRole("region", { name: / again$/ }).waitFor();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL("**/printorder");
  await page.getByText("Hostel 5", { exact: true }).waitFor();

  // It is the default one too.
  await page.evaluate(() => localStorage.removeItem("address"));
  await page.reload();
  await page.getByText(ORDERED_TO.flatno, { exact: true }).waitFor();
});

test("neither an order that is repeated nor files for the last shop lead a student away who went on before the answer came", async () => {
  const { visitor, id } = await placeOrder(storefront.store, SHOP_ID);
  const page = await visitAs(storefront, visitor, {}, `/orders/${id}`);
  const pattern = "**/api/trpc/shops.byId?*";
  const faq = page.getByRole("contentinfo").getByRole("link", { name: "FAQs" });
  const release = await delayRequests(page, pattern);
  await Promise.all([
    page.waitForRequest(pattern),
    page.getByRole("button", { name: "Order again" }).click(),
  ]);
  await faq.click();
  await page.waitForURL("**/faq");
  release();
  await answersCome(page);
  expect(new URL(page.url()).pathname).toBe("/faq");
  await page.unroute(pattern);

  await page.goto("/");
  await page.getByRole("button", { name: "Choose PDF files", disabled: false }).waitFor();
  const releaseAgain = await delayRequests(page, pattern);
  const asked = page.waitForRequest(pattern);
  await pick(page, "Choose PDF files", [pdfFile("Today.pdf", await pdfOfPages(3))]);
  await asked;
  await faq.click();
  await page.waitForURL("**/faq");
  releaseAgain();
  await closePopup(page, "File Uploaded Successfully");
  expect(new URL(page.url()).pathname).toBe("/faq");
});

test("the home page offers the last shop: the files chosen there are in its list, and nobody else sees the offer", async () => {
  const older = await shownShop(admin.visitor);
  const { visitor, student } = await placeOrder(storefront.store, older.id);
  storefront.store.clock.advance({ seconds: 1 });
  await placeAnother(visitor, student, SHOP_ID);
  expect((await visitor.get("/")).body).toContain("Print again at");
  const page = await storefront.visit("/login", { refused: ["/"] });
  await page.getByLabel("Email").fill(student.email);
  await page.getByLabel("Password", { exact: true }).fill(student.password);
  await page.keyboard.press("Enter");
  await closePopup(page, "Loggedin Successfully");
  const again = page.getByRole("region", { name: "Print again at Red Soil Prints" });
  await again.waitFor();
  await expectAccessiblePart(again);
  await again.getByRole("button", { name: "Choose PDF files", disabled: false }).waitFor();
  await page.context().setOffline(true);
  await pick(page, "Choose PDF files", [pdfFile("Today.pdf", await pdfOfPages(3))]);
  await closePopup(page, "You are offline. Nothing is lost; try again when your internet is back");
  await page.context().setOffline(false);
  await pick(page, "Choose PDF files", [pdfFile("Today.pdf", await pdfOfPages(3))]);
  await page.waitForURL(`**/printnow?id=${SHOP_ID}`);
  await page.getByText("1 file, 3 pages").waitFor();
  expect(await rowNames(page)).toEqual(["Today.pdf"]);
  await page.getByRole("button", { name: "Continue", disabled: false }).waitFor();
  // Drawn after the logout, it would ask for a file that is no longer this browser's.
  await page.locator("main li[data-file] img").waitFor();

  await page.getByRole("button", { name: "My Account" }).click();
  await page.getByRole("button", { name: "Logout" }).click();
  await closePopup(page, "Logout Successfully");
  await page.goto("/");
  await page.getByRole("link", { name: "Print Now" }).waitFor();
  expect(await again.count()).toBe(0);
});

test("the last shop that has closed down is named, and no file is uploaded to it", async () => {
  const shop = await shownShop(admin.visitor);
  const { visitor } = await placeOrder(storefront.store, shop.id);
  await admin.visitor.mutate("shops.admin.setHidden", { shopId: shop.id, hidden: true });
  const page = await visitAs(storefront, visitor, { refused: ["shops.byId"] }, "/");
  await page.getByRole("button", { name: "Choose PDF files", disabled: false }).waitFor();
  const today = pdfFile("Today.pdf", await pdfOfPages(3));
  const choose = await choosingInBrowser(page, "main input[type=file]", today);
  // The same file can be chosen again.
  for (let time = 0; time < 2; time++) {
    await choose();
    await closePopup(page, `${shop.shopName} is no longer at Print Store.`);
  }
  expect(
    await page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("draft:"))),
  ).toEqual([]);
});

test("an order of a deleted shop says so and links to the others", async () => {
  const shop = await shownShop(admin.visitor);
  const { visitor, id } = await placeOrder(storefront.store, shop.id);
  await admin.visitor.mutate("shops.admin.setHidden", { shopId: shop.id, hidden: true });

  const page = await visitAs(storefront, visitor, { refused: ["shops.byId"] }, `/orders/${id}`);
  await page.getByRole("button", { name: "Order again" }).click();
  await page.getByRole("alert").getByText(`${shop.shopName} is no longer at Print Store.`).waitFor();
  await page.getByRole("link", { name: "Find another shop" }).click();
  await page.getByRole("heading", { name: "Print shops near your college" }).waitFor();
});

test("an order whose script is gone since a deployment says to reload the page", async () => {
  const { id, visitor } = await placeOrder(storefront.store, SHOP_ID);
  const page = await visitAs(storefront, visitor, { refused: ["/assets/order-again"] }, `/orders/${id}`);
  await page.route("**/assets/order-again*", (route) => route.fulfill({ status: 404, body: "" }));
  await page.getByRole("button", { name: "Order again" }).click();
  await page.getByText("Reload the page and try again").waitFor();
});
