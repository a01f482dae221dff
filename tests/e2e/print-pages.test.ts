import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { COLOUR_PAGES, GREY_PAGES, pdfOf } from "../factories/pdfs.coloured.ts";
import { pdfOfPages } from "../factories/pdfs.ts";
import { signedInAdmin } from "../factories/staff.ts";
import { expectAccessiblePart } from "../setup/accessible-screen.ts";
import { openStorefront } from "../setup/storefront.ts";
import { orderButton, visitBoard } from "./admin-orders-steps.ts";
import {
  goToCheckout,
  ordersOf,
  type PickedFile,
  PRINT_PATH,
  pdfFile,
  placeOrder,
  row,
  storedItem,
  upload,
  visitWithFiles,
} from "./print-steps.ts";

const storefront = openStorefront();

let notes: PickedFile;
beforeAll(async () => {
  const [grey, link, cell] = [
    GREY_PAGES["black text"],
    COLOUR_PAGES["one blue word"],
    COLOUR_PAGES["a pale green cell"],
  ];
  const pages = [cell, grey, grey, link, grey, grey, link, grey, grey, grey, grey, link];
  notes = pdfFile("Notes.pdf", await pdfOf(pages));
});

/** The button that shows which pages of a file are printed and opens the field for them. */
function choice(page: Page, file: string) {
  return page.getByRole("button", { name: new RegExp(`^Pages to print.*\\(${file}\\)$`) });
}

function pagesField(page: Page, file: string) {
  return page.getByRole("textbox", { name: `Pages to print of ${file}` });
}

describe("pages to print", () => {
  test("are the first ones when their number is lowered, shown as an editable range and ordered so", async () => {
    const { page } = await visitWithFiles(storefront, [pdfFile("Thesis.pdf", await pdfOfPages(20))]);
    const count = page.getByLabel("Number of pages");
    await count.fill("3");
    await page.getByText("Pages 1-3 of 20 will be printed").waitFor();
    await choice(page, "Thesis.pdf").click();
    await expect.poll(() => pagesField(page, "Thesis.pdf").inputValue()).toBe("1-3");
    await pagesField(page, "Thesis.pdf").fill("4-6, 9");
    await expect.poll(() => count.inputValue()).toBe("4");
    await count.fill("2");
    await page.getByText("Pages 4-5 of 20 will be printed").waitFor();
    await page.reload();
    await row(page, "Thesis.pdf").getByText("Pages to print: 4-5 (2 of 20)").waitFor();

    await upload(page, [pdfFile("Lab.pdf", await pdfOfPages(5))]);
    await row(page, "Lab.pdf").getByText("Pages to print: all").waitFor();
    await row(page, "Thesis.pdf").getByText("Pages to print: 4-5 (2 of 20)").waitFor();
    await expect.poll(() => count.inputValue()).toBe("7");
    await count.fill("1");
    await row(page, "Lab.pdf").getByText("Pages to print: none").waitFor();
    await choice(page, "Lab.pdf").click();
    await page.getByText("Not printed: your number of pages is used up before this file").waitFor();
    await pagesField(page, "Lab.pdf").fill("2-4");
    await row(page, "Thesis.pdf").getByText("Pages to print: 4 (1 of 20)").waitFor();
    await expect.poll(() => count.inputValue()).toBe("4");
    await pagesField(page, "Lab.pdf").fill("");
    await choice(page, "Thesis.pdf").click();
    await pagesField(page, "Thesis.pdf").fill("4-5");
    await count.fill("2");
    await page.getByText("2 of 25 pages will be printed. Your files above show which").waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.waitForURL("**/printorder");
    await page.getByText("only pages 4-5: 2 of 20 pages").waitFor();
    await page.getByText("not printed").waitFor();
    expect(await storedItem(page, "orderData")).toMatchObject({
      noOfPages: 2,
      pageRanges: [{ pages: "4-5" }, { pages: "none" }],
    });
  });

  test("can be selected per file, survive a reload and reach the shop", async () => {
    const { page, student } = await visitWithFiles(storefront, [
      notes,
      pdfFile("Essay.pdf", await pdfOfPages(2)),
      pdfFile("One.pdf", await pdfOfPages(1)),
    ]);
    await expect.poll(() => choice(page, "Notes.pdf").innerText()).toBe("Pages to print: all");
    expect(await choice(page, "One.pdf").count()).toBe(0);
    await choice(page, "Notes.pdf").click();
    await pagesField(page, "Notes.pdf").fill("7");
    await page.getByText("Prints page 7 (1 of 12)").waitFor();
    await pagesField(page, "Notes.pdf").fill("1-4, 7, 3");
    await page.getByText("Prints pages 1-4, 7 (5 of 12)").waitFor();
    await expect.poll(() => page.getByLabel("Number of pages").inputValue()).toBe("8");
    await page.keyboard.press("Enter");
    await page.locator(":focus").and(choice(page, "Notes.pdf")).waitFor();
    expect(await pagesField(page, "Notes.pdf").count()).toBe(0);

    await page.reload();
    await row(page, "Notes.pdf").getByText("Pages to print: 1-4, 7 (5 of 12)").waitFor();
    await expect.poll(() => page.getByLabel("Number of pages").inputValue()).toBe("8");
    await page.getByLabel("Number of pages").fill("9");
    await expect.poll(() => page.getByLabel("Number of pages").inputValue()).not.toBe("9");
    await page.getByLabel("Number of pages").fill("8");
    await goToCheckout(page);
    await page.getByText("only pages 1-4, 7: 5 of 12 pages").waitFor();
    const id = expect.stringMatching(/^[\w-]{36}$/);
    expect(await storedItem(page, "orderData")).toMatchObject({
      noOfPages: 8,
      pageRanges: [{ public_id: id, pages: "1-4, 7" }],
    });

    await placeOrder(page);
    const [order] = await ordersOf(storefront, student);
    expect(order?.pages).toBe(8);
    await page.goto(`/orders/${order?.id}`);
    await page.getByText("only pages 1-4, 7: 5 of 12 pages").waitFor();

    const console = await visitBoard(storefront, await signedInAdmin(storefront.store));
    await orderButton(console, order?.number ?? "").click();
    const panel = console.getByRole("complementary", { name: `Order ${order?.number}` });
    await panel.getByText("only pages 1-4, 7: 5 of 12 pages").waitFor();
    await panel.getByText("3 of 8 pages are in colour").waitFor();
  });

  test("are validated while typing, and block the order until they are valid", async () => {
    const { page } = await visitWithFiles(storefront, [notes]);
    const second = await page.context().newPage();
    await second.goto(PRINT_PATH);
    await choice(second, "Notes.pdf").waitFor();
    await choice(page, "Notes.pdf").click();
    await pagesField(page, "Notes.pdf").fill("10-40");
    await page.getByText("There is no page 40: this file has 12 pages").waitFor();
    await second.getByText("Correct the pages to print of “Notes.pdf”").waitFor();
    await choice(second, "Notes.pdf").click();
    await expect.poll(() => pagesField(second, "Notes.pdf").inputValue()).toBe("10-40");
    const goOn = page.getByRole("button", { name: "Continue" });
    await page.getByText("Correct the pages to print of “Notes.pdf”").waitFor();
    await goOn.press("Enter");
    await page.locator(":focus").and(pagesField(page, "Notes.pdf")).waitFor();
    await expectAccessiblePart(row(page, "Notes.pdf"));
    await page.reload();
    await page.getByText("There is no page 40: this file has 12 pages").waitFor();
    await pagesField(page, "Notes.pdf").fill("");
    await page.getByText("Leave empty to print all pages").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => choice(page, "Notes.pdf").innerText()).toBe("Pages to print: all");
  });
});

test("a hint at the colour option shows how many selected pages are in colour, without changing the option", async () => {
  const { page } = await visitWithFiles(storefront, [notes]);
  const colour = page.getByLabel("Printed colour");
  const usual = await colour.locator("option").first().getAttribute("value");
  await page.getByText("4 of 12 pages are in colour").waitFor();
  expect(await colour.evaluate((field) => field.getAttribute("aria-describedby"))).toBeTruthy();
  await choice(page, "Notes.pdf").click();
  await pagesField(page, "Notes.pdf").fill("2-4");
  await page.getByText("1 of 3 pages is in colour").waitFor();
  await upload(page, [pdfFile("Essay.pdf", await pdfOfPages(30))]);
  await page.getByText("1 of 33 pages is in colour").waitFor();
  await page.getByRole("button", { name: "Remove Notes.pdf" }).click();
  await page.getByText("None of the 30 pages is in colour").waitFor();
  await expect.poll(() => colour.inputValue()).toBe(usual);
});
