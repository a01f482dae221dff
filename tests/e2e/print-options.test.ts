import { PDFDocument } from "pdf-lib";
import { describe, expect, test } from "vitest";
import { OPTION_FIELDS, OPTION_KINDS } from "#shared/options.ts";
import { MAX_COPIES } from "#shared/order-limits.ts";
import { getShop } from "../factories/orders.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { expectDone, priceEntry, pricesOf, shownShop, smallPriceList } from "../factories/shops.ts";
import { signedInAdmin } from "../factories/staff.ts";
import {
  expectAccessiblePart,
  expectAccessibleScreen,
  expectNoSidewaysScroll,
} from "../setup/accessible-screen.ts";
import { openStorefront, tryAgain } from "../setup/storefront.ts";
import {
  goToCheckout,
  hurryUntil,
  ordersOf,
  PRINT_PATH,
  pdfFile,
  placeOrder,
  priceOf,
  row,
  SHOP_ID,
  storedItem,
  total,
  upload,
  visitAs,
  visitAsStudent,
  visitWithFiles,
  waitForPromise,
} from "./print-steps.ts";

const storefront = openStorefront();

describe("a shop that cannot be opened", () => {
  test("says so, whether its id is a path, missing or unknown", async () => {
    const paths = ["/printnow?id=..%2F..", "/printnow", "/printnow?id=no-such-shop"];
    const { page } = await visitAsStudent(storefront, { refused: ["shops.byId"] }, "/faq");
    for (const path of paths) {
      await page.goto(path);
      await page.getByRole("heading", { name: "This shop was not found" }).waitFor();
    }
    await expectNoSidewaysScroll(page, 320);
    await expectAccessibleScreen(page);
    await page.getByRole("main").getByRole("link", { name: "Find a print shop" }).click();
    await page.waitForURL("**/shops");
  });

  test("a shop that has gone since it was opened is not shown any more", async () => {
    const { visitor: admin } = await signedInAdmin(storefront.store);
    const { id: shopId } = await shownShop(admin);
    const path = `/printnow?id=${shopId}`;
    const { page } = await visitAsStudent(storefront, { refused: ["shops.byId"] }, path);
    await page.getByRole("heading", { name: "Print your files" }).waitFor();
    expectDone(await admin.mutate("shops.admin.setHidden", { shopId, hidden: true }));
    // Its data is taken for fresh until then.
    await page.clock.setFixedTime(Date.now() + 60_000);
    await page.getByRole("contentinfo").getByRole("link", { name: "Support" }).click();
    await page.waitForURL("**/support");
    await page.goBack();
    await page.getByRole("heading", { name: "This shop was not found" }).waitFor();
  });

  test("a shop that fails to load can be retried", async () => {
    const { page } = await visitAsStudent(storefront, { refused: ["shops.byId"] }, "/faq");
    await page.getByRole("contentinfo").getByRole("link", { name: "Support" }).click();
    await page.waitForURL("**/support");
    const calls = "**/api/trpc/shops.byId*";
    await page.route(calls, (route) => route.abort("connectionreset"));
    await page.clock.install();
    await page.evaluate((path) => window.history.pushState({}, "", path), PRINT_PATH);
    await page.evaluate(() => window.dispatchEvent(new PopStateEvent("popstate")));
    await hurryUntil(page, () =>
      page.getByRole("heading", { name: "The shop could not be opened" }).isVisible(),
    );
    await tryAgain(page, calls);
    await page.getByRole("heading", { name: "Print your files" }).waitFor();
  });

  test("a closed shop accepts no orders, and says why", async () => {
    const { db } = storefront.store.deps;
    const shopId = "palar-paper-house";
    await db
      .updateTable("shops")
      .set({ is_open: 0, closed_note: "Back on Monday" })
      .where("id", "=", shopId)
      .execute();
    const files = [pdfFile("A.pdf", await pdfOfPages(1))];
    const { page } = await visitWithFiles(storefront, files, {}, shopId);
    await page.getByText("The shop is closed now. Back on Monday").waitFor();
    await expect.poll(() => page.getByRole("button", { name: "Continue" }).isDisabled()).toBe(true);
  });
});

const twoFiles = async () => [
  pdfFile("One.pdf", await pdfOfPages(1)),
  pdfFile("Two.pdf", await pdfOfPages(1)),
];

describe("print options", () => {
  test("start with the shop's defaults, one copy and all pages; Continue needs a file", async () => {
    const { page, visitor } = await visitAsStudent(storefront);
    const shop = await getShop(visitor, SHOP_ID);
    for (const kind of OPTION_KINDS) {
      const field = page.getByLabel(OPTION_FIELDS[kind].label);
      await expect.poll(() => field.inputValue()).toBe(shop[kind][0]?._id);
      await expect.poll(() => field.locator("option").count()).toBe(shop[kind].length);
      await expect.poll(() => field.getAttribute("required")).not.toBeNull();
    }
    await expect.poll(() => page.getByLabel("Number of copies").inputValue()).toBe("1");
    await expect.poll(() => page.getByRole("button", { name: "Continue" }).isDisabled()).toBe(true);
    await page.getByText("Add at least one file to continue").waitFor();
    await upload(page, [pdfFile("A.pdf", await pdfOfPages(7))]);
    await expect.poll(() => page.getByLabel("Number of pages").inputValue()).toBe("7");
    await expect.poll(() => page.getByRole("button", { name: "Continue" }).isEnabled()).toBe(true);
  });

  test("put several pages on a side, with a picture, what it saves, and the order as it was chosen", async () => {
    const slides = await PDFDocument.load(await pdfOfPages(10));
    // An upright title.
    for (const slide of slides.getPages().slice(1)) slide.setSize(842, 595);
    const { page } = await visitWithFiles(storefront, [pdfFile("Slides.pdf", await slides.save())]);
    // 10 × 1.25 = 13, with 3 tax and 13 delivery; 3 × 1.25 = 4, with 4 tax and 4 delivery.
    await expect.poll(() => total(page)).toBe("₹29.00");
    await page.getByRole("radio", { name: "4", exact: true }).check();
    await page.getByText("3 sheets instead of 10: ₹17.00 less").waitFor();
    const picture = page.getByRole("img", { name: "The first side, with page 1, 2, 3, 4" });
    // It lies, as most of its pages do, like the print.
    await expect.poll(() => picture.getAttribute("viewBox")).toBe("0 0 841.89 595.276");
    await expect.poll(() => total(page)).toBe("₹12.00");
    await page.getByLabel("A thin line around each page").uncheck();
    await page.getByLabel("Read down, column by column").check();
    await page.reload();
    await page.getByText("3 sheets instead of 10").waitFor();
    expect(await page.getByLabel("A thin line around each page").isChecked()).toBe(false);
    expect(await page.getByLabel("Read down, column by column").isChecked()).toBe(true);

    await goToCheckout(page);
    await page.getByText("4 on a side, read down", { exact: true }).waitFor();
    await placeOrder(page);
    const [order] = await storefront.store.deps.readDb
      .selectFrom("orders")
      .select(["pages", "sheets", "total_paise", "jobs"])
      .where("jobs", "is not", null)
      .execute();
    expect({ ...order, jobs: JSON.parse(order?.jobs ?? "null") }).toEqual({
      pages: 3,
      sheets: 3,
      total_paise: 1200,
      jobs: [
        {
          pagesPerSide: 4,
          hasFrames: false,
          isBooklet: false,
          readsDown: true,
          pageRanges: [null],
          pages: 3,
          sides: 1,
          sheets: 3,
        },
      ],
    });
  });

  test("can be others for one file, which is then a part of the order by itself", async () => {
    const { page, student } = await visitWithFiles(storefront, [
      pdfFile("Thesis.pdf", await pdfOfPages(4)),
      pdfFile("Slides.pdf", await pdfOfPages(8)),
    ]);
    // 12 × 1.25 = 15, with 15 delivery.
    await expect.poll(() => total(page)).toBe("₹30.00");

    const ofSlides = row(page, "Slides.pdf");
    await ofSlides.getByRole("button", { name: "Other options for this file (Slides.pdf)" }).click();
    const own = ofSlides.getByRole("group", { name: "Options of Slides.pdf" });
    await own.getByLabel("Pages on a side").selectOption("4");
    // 6 × 1.25 = 8, with 3 tax and 8 delivery.
    await expect.poll(() => total(page)).toBe("₹19.00");
    await own.getByLabel("Printed colour").selectOption({ label: "Colour · ₹4.25 a page" });
    // 4 × 1.25 + 2 × 5 = 15, with 15 delivery.
    await expect.poll(() => total(page)).toBe("₹30.00");
    await expectAccessiblePart(ofSlides);
    await page.reload();
    const toggle = ofSlides.getByRole("button", { name: /4 on a side, in frames, Colour \(Slides.pdf\)/ });
    await toggle.waitFor();
    await expect.poll(() => total(page)).toBe("₹30.00");

    await goToCheckout(page);
    const parts = [
      "Black & White: Thesis.pdf, all 4 pages. Prints 4 pages on 4 sheets",
      "4 on a side, in frames, Colour: Slides.pdf, all 8 pages. Prints 2 pages on 2 sheets",
    ];
    for (const text of parts) await page.getByText(text, { exact: true }).waitFor();
    expect(await total(page)).toBe("₹30.00");
    await placeOrder(page);
    const [order] = await ordersOf(storefront, student);
    expect([order?.pages, order?.total_paise]).toEqual([6, 3000]);
    await page.goto(`/orders/${order?.id}`);
    for (const text of parts) await page.getByText(text, { exact: true }).waitFor();

    await page.getByRole("button", { name: "Order again" }).click();
    const note = page.getByRole("region", { name: `Order ${order?.number} again` });
    await note.getByText("Some files had other options.").waitFor();
    await expect.poll(() => note.getByRole("listitem").count()).toBe(1);
    expect(await note.getByRole("listitem").innerText()).toContain("4 on a side, in frames, Colour");
  });

  test("of one file go back to those of the order", async () => {
    const { page } = await visitWithFiles(storefront, await twoFiles());
    const toggle = row(page, "Two.pdf").getByRole("button", { name: /^Other options/ });
    await toggle.click();
    const own = page.getByRole("group", { name: "Options of Two.pdf" });
    await own.getByLabel("Pages on a side").selectOption({ label: "Booklet, to fold in the middle" });
    await expect.poll(() => toggle.textContent()).toContain("Booklet");
    // The order's single side would stand in the way.
    await expect.poll(() => toggle.textContent()).toContain("Both sides");
    // Without the booklet the file is printed as the order again.
    await own.getByLabel("Pages on a side").selectOption({ label: "As for the order" });
    await expect.poll(() => toggle.textContent()).toBe("Other options for this file");
    await own.getByLabel("Pages on a side").selectOption({ label: "Booklet, to fold in the middle" });
    await expect.poll(() => toggle.textContent()).toContain("Both sides");
    await row(page, "One.pdf").getByRole("button", { name: "Remove One.pdf" }).click();
    await expect.poll(() => toggle.textContent()).toContain("Booklet");
    await own.getByRole("button", { name: "All as for the order" }).click();
    // One file alone has no options of its own.
    await expect.poll(() => toggle.count()).toBe(0);
  });

  test("of one file have the whole width of a phone, which would cut them", async () => {
    const { page } = await visitWithFiles(storefront, await twoFiles(), {
      viewport: { width: 390, height: 844 },
    });
    await row(page, "Two.pdf")
      .getByRole("button", { name: /^Other options/ })
      .click();
    const own = page.getByRole("group", { name: "Options of Two.pdf" });
    const [inner, outer] = await Promise.all([own.boundingBox(), row(page, "Two.pdf").boundingBox()]);
    expect([inner?.x, inner?.width]).toEqual([outer?.x, outer?.width]);
  });

  test("of one file that have run out are told, as those of the order are printed instead", async () => {
    const admin = await signedInAdmin(storefront.store);
    const printedColours = [priceEntry("Black & White", 100), priceEntry("Colour", 400)];
    const shop = await shownShop(admin.visitor, { ...smallPriceList(), printedColours });
    const { page } = await visitWithFiles(storefront, await twoFiles(), {}, shop.id);
    const ofTwo = row(page, "Two.pdf");
    await ofTwo.getByRole("button", { name: /^Other options/ }).click();
    await ofTwo.getByLabel("Printed colour").selectOption({ label: "Colour · ₹4.00 a page" });
    await ofTwo.getByRole("button", { name: "Other options: Colour (Two.pdf)" }).waitFor();
    const note = ofTwo.getByText(
      "Printed colour: what you chose for this file is not available now. It is printed as the order: Black & White.",
    );
    expect(await note.count()).toBe(0);

    const { lists } = await pricesOf(admin.visitor, shop.id);
    const optionId = lists.printedColours.find(({ name }) => name === "Colour")?.id;
    expectDone(await admin.visitor.mutate("stock.setOut", { shopId: shop.id, optionId, isOut: true }));
    await page.reload();
    await note.waitFor();
    await expectAccessiblePart(ofTwo);
    await ofTwo.getByRole("button", { name: "Other options for this file (Two.pdf)" }).click();
    await ofTwo.getByRole("button", { name: "All as for the order" }).click();
    await note.waitFor({ state: "detached" });
  });

  test("make a booklet, on both sides, with a picture of its outermost sheet", async () => {
    const { page } = await visitWithFiles(storefront, [pdfFile("Story.pdf", await pdfOfPages(7))]);
    await page.getByRole("radio", { name: "Booklet, to fold in the middle" }).check();
    await page.getByRole("img", { name: "The first side, with page 1", exact: true }).waitFor();
    await page.getByText("2 sheets instead of 4").waitFor();
    const sides = page.getByLabel("Printing side");
    expect(await sides.locator("option:checked").innerText()).toContain("Both sides");
    await expectAccessibleScreen(page);
    await page.getByRole("radio", { name: "2", exact: true }).check();
    const chosen = sides.locator("option:checked");
    await expect.poll(() => chosen.innerText()).toContain("Single");
    await page.getByRole("radio", { name: "Booklet, to fold in the middle" }).check();
    await expect.poll(() => chosen.innerText()).toContain("Both sides");
    await sides.selectOption({ label: await sides.locator("option", { hasText: "Single" }).innerText() });
    await page.getByText("A booklet is printed on both sides: choose that, or no booklet").waitFor();
    await page.getByRole("radio", { name: "1", exact: true }).check();
    await page.getByRole("radio", { name: "Booklet, to fold in the middle" }).check();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL("**/printorder");
    await page.getByText("Booklet, fold in the middle, flip on short edge", { exact: true }).waitFor();
  });

  test("explain every part of the price as it changes, down to the total", async () => {
    const { page } = await visitWithFiles(storefront, [pdfFile("A.pdf", await pdfOfPages(32))]);
    const promise = waitForPromise(page, 2 * 32);
    await page.getByLabel("Number of copies").fill("2");
    await promise;
    await page.getByLabel("Printed colour").selectOption({ label: "Colour · ₹4.25 a page" });
    await page.getByLabel("Binding").selectOption({ label: "Spiral Binding · ₹35.00 a copy" });
    const price = priceOf(page);
    await price.getByText("32 pages × 2 copies × ₹4.25").waitFor();
    await price.getByText("2 copies × ₹35.00").waitFor();
    const amounts = await price.locator("dt, dd").allTextContents();
    // 64 × (4.25 + 0.45 + 0.30) + 2 × 35 = 390; 390 mod 5 = 0; 390 mod 20 = 10
    expect(amounts).toContain("₹272.00");
    expect(amounts.slice(-8)).toEqual([
      "Subtotal",
      "₹390.00",
      "Taxremainder of ₹390.00 ÷ ₹5",
      "₹0.00",
      "Delivery feeremainder of ₹390.00 ÷ ₹20",
      "₹10.00",
      "Total",
      "₹400.00",
    ]);
    await price.getByRole("status").filter({ hasText: "Total ₹400.00" }).waitFor({ state: "attached" });
    expect(await price.getByText("up to whole rupees").count()).toBe(0);
    await page.getByLabel("Number of pages").fill("1");
    await expect.poll(() => total(page)).toBe("₹80.00");
    await page.getByLabel("Printed colour").selectOption({ label: "Black & White · ₹0.50 a page" });
    // 2 × 1.25 + 70 = 72.50
    await price.getByText("up to whole rupees").waitFor();
    await expect.poll(() => price.locator("dd").allTextContents()).toContain("₹0.50");
    await expect.poll(() => total(page)).toBe("₹89.00");
  });

  test("allow fewer pages but not more than the files have; both numbers are required", async () => {
    const { page } = await visitWithFiles(storefront, [pdfFile("A.pdf", await pdfOfPages(9))]);
    const pages = page.getByLabel("Number of pages");
    await pages.fill("10");
    await expect.poll(() => pages.inputValue()).toBe("9");
    await page.getByRole("button", { name: "Fewer pages" }).click();
    await expect.poll(() => pages.inputValue()).toBe("8");
    await page.getByRole("button", { name: "More pages" }).click();
    await expect.poll(() => pages.inputValue()).toBe("9");
    expect(await page.getByRole("button", { name: "More pages" }).isDisabled()).toBe(true);
    const copies = page.getByLabel("Number of copies");
    expect(await page.getByRole("button", { name: "Fewer copies" }).isDisabled()).toBe(true);
    await copies.fill(`${MAX_COPIES}`);
    await copies.fill(`${MAX_COPIES + 1}`);
    await expect.poll(() => copies.inputValue()).toBe(`${MAX_COPIES}`);
    await copies.press("ArrowUp");
    await copies.press("ArrowDown");
    await expect.poll(() => copies.inputValue()).toBe(`${MAX_COPIES - 1}`);
    await pages.fill("4");
    await upload(page, [pdfFile("B.pdf", await pdfOfPages(9))]);
    await expect.poll(() => pages.inputValue()).toBe("13");
    await page.getByRole("button", { name: "Remove A.pdf" }).click();
    await page.getByRole("button", { name: "Remove B.pdf" }).click();
    await upload(page, [pdfFile("C.pdf", await pdfOfPages(2))]);
    await expect.poll(() => pages.inputValue()).toBe("2");
    await page.getByLabel("Number of copies").fill("");
    await page.getByText("Number of copies is required").waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.locator(":focus").and(page.getByLabel("Number of copies")).waitFor();
    await expect.poll(() => new URL(page.url()).pathname).toBe("/printnow");
  });

  test("are remembered at this shop for the next order", async () => {
    const { page, visitor } = await visitWithFiles(storefront, [pdfFile("A.pdf", await pdfOfPages(2))]);
    await page.getByLabel("Paper type").selectOption({ index: 1 });
    await goToCheckout(page);
    await page.getByRole("button", { name: "Place Order" }).click();
    await page.waitForURL((url) => url.pathname === "/");
    const shop = await getShop(visitor, SHOP_ID);
    await page.goto(PRINT_PATH);
    await expect.poll(() => page.getByLabel("Paper type").inputValue()).toBe(shop.paperTypes[1]?._id);
    await expect.poll(() => page.getByLabel("Printed colour").inputValue()).toBe(shop.printedColours[0]?._id);
    const elsewhere = await visitAs(storefront, visitor);
    await expect.poll(() => elsewhere.getByLabel("Paper type").inputValue()).toBe(shop.paperTypes[0]?._id);
  });

  test("are saved by Continue in the format of the specification, which opens /printorder", async () => {
    const file = pdfFile("A.pdf", await pdfOfPages(10));
    const { page, visitor, student } = await visitWithFiles(storefront, [file]);
    await page.getByLabel("Message to the shop").fill("Two staples");
    await goToCheckout(page, { address: false });
    const shop = await getShop(visitor, SHOP_ID);
    expect(await storedItem(page, "orderData")).toEqual({
      shopId: SHOP_ID,
      shopName: shop.shopName,
      shopLocation: shop.shopLocation,
      shopEmail: shop.email,
      shopContactNumber: shop.contactNumber,
      noOfPages: 10,
      noOfCopies: 1,
      printedColour: "Black & White",
      printingSide: "Single side",
      paperType: "70 GSM Copier",
      paperSize: "A4",
      coverOption: "No Cover",
      bindingOption: "No Binding",
      message: "Two staples",
      userEmail: student.email,
      filesUrl: [expect.stringMatching(/\/files\/[\w-]+$/)],
      subTotal: 13,
    });
    await page.goBack();
    await row(page, "A.pdf").getByText("10 pages").waitFor();
  });
});
